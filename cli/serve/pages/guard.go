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

// Guard is whom a server answers.
type Guard struct {
	Address string // host and port that are listened on
	Token   string // what a request must know; "" where only this machine can ask
}

// MostRequest is how many bytes a request may have, its head and its body each.
const MostRequest = 64 << 10

// mostAtOnce is how many requests are answered at once: more wait for nothing, and are refused.
const mostAtOnce = 256

// isLoopback says whether a name is of this machine alone.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// hostOf is the name in a Host or an address, without the port.
func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// isHost says whether a request's Host is a name of this server. Any loopback name is, at any port, so
// that a tunnel works. A page elsewhere cannot take such a name, whatever its own name resolves to.
func (g *Guard) isHost(host string) bool {
	name, own := hostOf(host), hostOf(g.Address)
	if isLoopback(name) || isLoopback(own) {
		return isLoopback(name)
	}
	if ip := net.ParseIP(own); own == "" || ip != nil && ip.IsUnspecified() {
		machine, _ := os.Hostname()
		return net.ParseIP(name) != nil || strings.EqualFold(name, machine) // and it needs the token
	}
	return strings.EqualFold(name, own)
}

// cookie is the name of the cookie with the token. Cookies are shared by the ports of a host.
func (g *Guard) cookie() string {
	_, port, _ := net.SplitHostPort(g.Address)
	return "fstore-" + port
}

func (g *Guard) isToken(text string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(g.Token)) == 1
}

// admit says whether a request knows the token. One that has it in its address gets it as a cookie,
// and is sent to the address without it.
func (g *Guard) admit(w http.ResponseWriter, r *http.Request) (admitted, answered bool) {
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

// guarded answers what may be asked, and refuses all else in plain text.
func (s *Server) guarded(next http.HandlerFunc) http.Handler {
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
		if !s.guard.isHost(r.Host) {
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
		admitted, answered := s.guard.admit(w, r)
		if !admitted {
			refuse(w, http.StatusForbidden, "open the address that fstore serve printed: it has a token")
		}
		if admitted && !answered {
			defer survive(w)
			next(w, r)
		}
	})
}

// survive says that a page has failed: else the browser would see no answer, and nobody would hear of it.
func survive(w http.ResponseWriter) {
	if r := recover(); r != nil {
		fmt.Fprintf(os.Stderr, "fstore: internal error: %v\n", r)
		debug.PrintStack()
		refuse(w, http.StatusInternalServerError, "internal error: the page cannot be made")
	}
}

// refuse answers in one line.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, printable(why))
}

// mostValues is how many values a form may have.
const mostValues = 2000

// checkForm says what is wrong with values that no command can take.
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

// printable is a text without what does not show, cut to what is worth quoting.
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
