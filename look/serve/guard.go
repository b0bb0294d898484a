package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
)

// maxQuery bounds what a request may ask, in bytes.
const maxQuery = 4096

// cookie is where a browser keeps the token.
const cookie = "capgraph_token"

// guard lets through requests that bring the token, or, without one, those that
// name this machine: a page of another site that resolves its name to 127.0.0.1
// does not.
func guard(token string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		if len(r.URL.RawQuery) > maxQuery {
			http.Error(w, "the query is too long", http.StatusRequestURITooLong)
			return
		}
		query, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			http.Error(w, "the query is malformed", http.StatusBadRequest)
			return
		}
		if token == "" {
			if !Loopback(withPort(r.Host)) {
				http.Error(w, "open this page as http://127.0.0.1 or http://localhost", http.StatusForbidden)
				return
			}
			next.ServeHTTP(w, r)
			return
		}
		if same(query.Get("token"), token) {
			http.SetCookie(w, &http.Cookie{Name: cookie, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		} else if c, err := r.Cookie(cookie); err != nil || !same(c.Value, token) {
			http.Error(w, "open the address that 'capgraph serve' printed, with its token", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// same compares in a time that depends on neither.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

func withPort(host string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return host + ":80"
}
