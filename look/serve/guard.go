package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
)

// maxQuery is the largest size of a query or form, in bytes.
const maxQuery = 4096

// requireToken forwards a request to next only if the first element of its path is the token. The
// token is in the path, since a cookie would be sent to every server of this host, on any port.
func requireToken(token string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer") // the URL contains the token
		h.Set("Cache-Control", "no-store")
		first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if !equalConstantTime(first, token) {
			http.Error(w, "open the address that 'capgraph serve' printed, with its token", http.StatusUnauthorized)
			return
		}
		if len(r.URL.RawQuery) > maxQuery {
			http.Error(w, "the query is too long", http.StatusRequestURITooLong)
			return
		}
		if _, err := url.ParseQuery(r.URL.RawQuery); err != nil {
			http.Error(w, "the query is malformed", http.StatusBadRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// equalConstantTime reports whether a equals b, in a time that does not depend on their content.
func equalConstantTime(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
