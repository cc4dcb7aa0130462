package pages

import (
	"errors"
	"html"
	"html/template"
	"regexp"
	"strings"

	"fstore/cli/guide"
)

type guidesData struct {
	Guides []guideEntry
	Body   template.HTML
}

type guideEntry struct {
	Name, About string
	Current     bool
}

func guidesPage(v *View) error {
	d := &guidesData{}
	name := v.Get("name")
	v.Title, v.Data = "Guides", d
	found := name == ""
	for _, n := range guide.Names() {
		text, err := guide.Pages.ReadFile(n + ".md")
		if err != nil {
			return err
		}
		first, rest, _ := strings.Cut(string(text), "\n")
		_, about, _ := strings.Cut(first, ": ")
		d.Guides = append(d.Guides, guideEntry{n, about, n == name})
		if n == name {
			found = true
			v.Title = strings.TrimPrefix(first, "# ")
			d.Body = markdown(rest, func(to string) string {
				if to, ok := strings.CutSuffix(to, ".md"); ok && !strings.Contains(to, "/") {
					return v.To("guide", "name", to)
				}
				return "" // no page links to another host
			})
		}
	}
	if !found {
		return errors.New("there is no guide " + name)
	}
	return nil
}

// markdown converts a guide to HTML. The function `link` returns the address for a link, or "" to keep only
// its text.
func markdown(text string, link func(string) string) template.HTML {
	m := &marked{link: link}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		line := lines[i]
		switch {
		case strings.TrimSpace(line) == "":
			i++
		case strings.HasPrefix(line, "```"):
			i = m.code(lines, i)
		case strings.HasPrefix(line, "#"):
			heading := strings.TrimLeft(line, "#")
			level := string(rune('0' + min(4, len(line)-len(heading))))
			m.put("<h"+level+">", strings.TrimSpace(heading), "</h"+level+">\n")
			i++
		case strings.HasPrefix(line, "|"):
			i = m.table(lines, i)
		case item.MatchString(line):
			i = m.items(lines, i)
		default:
			from := i
			for i < len(lines) && strings.TrimSpace(lines[i]) != "" && !strings.HasPrefix(lines[i], "```") {
				i++
			}
			m.put("<p>", strings.Join(lines[from:i], " "), "</p>\n")
		}
	}
	return template.HTML(m.b.String())
}

type marked struct {
	b    strings.Builder
	link func(string) string
}

var (
	item   = regexp.MustCompile(`^([-*]|\d+\.) +`)
	inline = regexp.MustCompile("`([^`]+)`" + `|\[([^\]]+)\]\(([^)]+)\)|\*\*([^*]+)\*\*|\*([^*]+)\*`)
)

func (m *marked) put(before, text, after string) {
	m.b.WriteString(before + m.inline(text) + after)
}

// inline converts code, links, bold and italic text within a line.
func (m *marked) inline(text string) string {
	var b strings.Builder
	at := 0
	for _, x := range inline.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(html.EscapeString(text[at:x[0]]))
		at = x[1]
		part := func(n int) string {
			if x[2*n] < 0 {
				return ""
			}
			return text[x[2*n]:x[2*n+1]]
		}
		switch {
		case x[2] >= 0:
			b.WriteString("<code>" + html.EscapeString(part(1)) + "</code>")
		case x[4] >= 0:
			words := m.inline(part(2))
			if to := m.link(part(3)); to != "" {
				words = `<a href="` + html.EscapeString(to) + `">` + words + "</a>"
			}
			b.WriteString(words)
		case x[8] >= 0:
			b.WriteString("<strong>" + m.inline(part(4)) + "</strong>")
		default:
			b.WriteString("<em>" + m.inline(part(5)) + "</em>")
		}
	}
	b.WriteString(html.EscapeString(text[at:]))
	return b.String()
}

func (m *marked) code(lines []string, i int) int {
	m.b.WriteString(`<pre tabindex="0"><code>`)
	for i++; i < len(lines) && !strings.HasPrefix(lines[i], "```"); i++ {
		m.b.WriteString(html.EscapeString(lines[i]) + "\n")
	}
	m.b.WriteString("</code></pre>\n")
	return i + 1
}

func (m *marked) table(lines []string, i int) int {
	m.b.WriteString(`<div class="scroll" tabindex="0"><table>` + "\n")
	for first := true; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
		if strings.Trim(lines[i], "|-: ") == "" {
			continue
		}
		open, closing := "<td>", "</td>"
		if first {
			open, closing = `<th scope="col">`, "</th>"
		}
		first = false
		m.b.WriteString("<tr>")
		for _, cell := range cells(lines[i]) {
			m.put(open, cell, closing)
		}
		m.b.WriteString("</tr>\n")
	}
	m.b.WriteString("</table></div>\n")
	return i
}

// cells returns the cells of a table's row. In a cell, \| means a bar.
func cells(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	all := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
	for i := range all {
		all[i] = strings.TrimSpace(strings.ReplaceAll(all[i], "\x00", "|"))
	}
	return all
}

func (m *marked) items(lines []string, i int) int {
	tag := "ul"
	if lines[i][0] >= '0' && lines[i][0] <= '9' {
		tag = "ol"
	}
	m.b.WriteString("<" + tag + ">\n")
	for i < len(lines) && item.MatchString(lines[i]) {
		text := item.ReplaceAllString(lines[i], "")
		for i++; i < len(lines) && strings.HasPrefix(lines[i], "  "); i++ {
			text += " " + strings.TrimSpace(lines[i])
		}
		m.put("<li>", text, "</li>\n")
	}
	m.b.WriteString("</" + tag + ">\n")
	return i
}
