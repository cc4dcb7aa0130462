package pages

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"unicode/utf8"
)

// Guard decides which requests the server answers.
type Guard struct {
	Address string // host and port of the server
	Token   string // must be in each request; "" if only this machine can reach the server
}

// MostRequest is the largest size of a request's head, and of its body, in bytes.
const MostRequest = 64 << 10

// mostAtOnce is the largest number of requests in progress. Further requests are refused.
const mostAtOnce = 256

// isLoopback reports whether a host name means this machine only.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// hostOf returns the name in a Host header or an address, without the port.
func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// isHost reports whether a request's Host is a name of this server. All loopback names are allowed, so that a
// tunnel works. A page of another site cannot send such a Host.
func (g *Guard) isHost(host string) bool {
	name, own := hostOf(host), hostOf(g.Address)
	if isLoopback(name) || isLoopback(own) {
		return isLoopback(name)
	}
	if ip := net.ParseIP(own); own == "" || ip != nil && ip.IsUnspecified() {
		machine, _ := os.Hostname()
		return net.ParseIP(name) != nil || strings.EqualFold(name, machine) // such a request needs the token
	}
	return strings.EqualFold(name, own)
}

// cookie returns the name of the token's cookie. The name contains the port, since all ports of a host share
// their cookies.
func (g *Guard) cookie() string {
	_, port, _ := net.SplitHostPort(g.Address)
	return "fstore-" + port
}

func (g *Guard) isToken(text string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(g.Token)) == 1
}

// admit checks whether a request has the token. It moves a token in the address to a cookie by a redirect. If
// redirected is true, the caller must not answer.
func (g *Guard) admit(w http.ResponseWriter, r *http.Request) (admitted, redirected bool) {
	if g.Token == "" {
		return true, false
	}
	if c, err := r.Cookie(g.cookie()); err == nil && g.isToken(c.Value) {
		return true, false
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || !g.isToken(query.Get("token")) {
		return false, false
	}
	query.Del("token")
	to := *r.URL
	to.RawQuery = query.Encode()
	http.SetCookie(w, &http.Cookie{Name: g.cookie(), Value: g.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, to.RequestURI(), http.StatusSeeOther)
	return true, true
}

// guarded refuses bad requests in plain text and passes all others to handler.
func (g *Guard) guarded(handler http.HandlerFunc) http.Handler {
	room := make(chan struct{}, mostAtOnce)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		select {
		case room <- struct{}{}:
			defer func() { <-room }()
		default:
			refuse(w, http.StatusServiceUnavailable, "too many requests at once")
			return
		}
		if !g.isHost(r.Host) {
			refuse(w, http.StatusForbidden, "this server is not "+r.Host)
			return
		}
		switch r.Method {
		case http.MethodGet, http.MethodHead:
		case http.MethodPost:
			if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
				refuse(w, http.StatusForbidden, "a form of another site")
				return
			}
		default:
			h.Set("Allow", "GET, HEAD, POST")
			refuse(w, http.StatusMethodNotAllowed, "the method "+r.Method+" is not allowed")
			return
		}
		admitted, answered := g.admit(w, r)
		if !admitted {
			refuse(w, http.StatusForbidden, "open the address that fstore serve printed: it has a token")
		}
		if admitted && !answered {
			defer survive(w)
			handler(w, r)
		}
	})
}

// survive recovers from a panic, and reports it to the browser and on standard error.
func survive(w http.ResponseWriter) {
	if r := recover(); r != nil {
		fmt.Fprintf(os.Stderr, "fstore: internal error: %v\n", r)
		debug.PrintStack()
		refuse(w, http.StatusInternalServerError, "internal error: the page cannot be made")
	}
}

// refuse answers a request with a line of text.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, printable(why))
}

// mostValues is the largest number of values in a form.
const mostValues = 2000

// checkForm returns an error if the form has values that no command can take.
func checkForm(form url.Values) error {
	n := 0
	for name, values := range form {
		for _, v := range append(values, name) {
			if n++; n > mostValues {
				return fmt.Errorf("more than %d values", mostValues)
			}
			if !utf8.ValidString(v) {
				return fmt.Errorf("%s: the text is no UTF-8", printable(name))
			}
			if i := strings.IndexFunc(v, isControl); i >= 0 {
				return fmt.Errorf("%s: a control character (%U)", printable(name), v[i])
			}
		}
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7F }

// printable replaces control characters in a text, and cuts the text after 200 characters.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if isControl(r) || r == '\n' || r == '\r' {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return text
}
