// Every page works without this file. It copies commands, goes to the pattern at "/", and makes
// patterns as soon as words are chosen.
"use strict";

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
}

document.addEventListener("keydown", (event) => {
  const field = document.getElementById("find");
  if (!field || event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox") return;
  event.preventDefault();
  field.select();
});

// A form's empty fields are left out of the address.
document.addEventListener("submit", (event) => {
  for (const field of event.target.elements) {
    if (field.name && field.value === "" && event.target.method === "get") field.disabled = true;
  }
});
window.addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll("form [name]:disabled")) field.disabled = false;
});

// The words that are chosen make patterns, and their address is the page's.
const form = document.getElementById("choose");
const patterns = document.getElementById("patterns");
if (form && patterns) {
  let turn = 0;
  const fetchPatterns = async (mine) => {
    const address = form.action + "?" + new URLSearchParams(new FormData(form));
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page.getElementById("patterns");
    if (mine !== turn || !found) return; // other words are chosen by now
    patterns.replaceChildren(...found.childNodes);
    history.replaceState(null, "", address);
    if (answer.headers.get("Refresh")) setTimeout(() => fetchPatterns(mine).catch(() => {}), 1000);
  };
  form.addEventListener("change", () => {
    turn++;
    fetchPatterns(turn).catch(() => {}); // the button asks as well
  });
}
