// Package serve shows an output folder in a browser: a search over all rows, each row in full, and a
// blind comparison with another folder. It reads shards on request and keeps no index.
//
// New returns a Server, which is an http.Handler. All its URLs begin with a random token.
package serve
