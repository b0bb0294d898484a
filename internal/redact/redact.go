// Package redact finds credentials in texts and removes them from messages, logs and folders.
package redact

import (
	"regexp"
	"strings"
	"unicode"
)

// Masked replaces a credential.
const Masked = "…"

var (
	// user matches an address with a user, and perhaps a password. A password may contain a slash;
	// a port may not.
	user = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*:/+)(?:[^/?#\s@]*@|[^/?#\s@:]+:[^/\s@]*[^0-9/\s@][^\s@]*@)+`)
	// setting matches name=value, as in queries and command lines.
	setting = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_.-]*)=([^\s&;,"']+)`)
)

// Text returns text without the user and password of addresses, and without the values of secrets,
// such as api_key=….
func Text(text string) string {
	text = user.ReplaceAllString(text, "${1}"+Masked+"@")
	return setting.ReplaceAllStringFunc(text, func(pair string) string {
		name, value, _ := strings.Cut(pair, "=")
		if !IsSecret(name) || value == "VALUE" { // messages use --set KEY=VALUE as an example
			return pair
		}
		return name + "=" + Masked
	})
}

// Holds reports whether a text has an address with a user, a password or a signature.
func Holds(text string) bool {
	before, addresses, ok := strings.Cut(text, ":/")
	if !ok {
		return false
	}
	for host := range strings.SplitSeq(addresses, ":/") {
		host, _, _ = strings.Cut(strings.TrimLeft(host, "/"), "/")
		if strings.Contains(host, "@") {
			return true
		}
	}
	text = text[len(before):]
	return Text("a"+text) != "a"+text
}

// endings are the endings of the names of secrets, in lower case and without "_" or "-".
var endings = []string{
	"apikey", "accesskey", "accountkey", "authkey", "secretkey", "privatekey", "sharedkey", "keyid",
	"accesstoken", "apitoken", "authtoken", "bearertoken", "idtoken", "refreshtoken", "securitytoken", "sessiontoken",
	"secret", "password", "passwd", "passphrase", "authorization", "credential", "credentials", "signature", "headers",
}

// whole are names that are secrets only by themselves: bos_token is not one.
var whole = []string{"token", "sig", "pwd", "pass", "auth", "bearer"}

// IsSecret reports whether name names a secret, such as api_key or X-Amz-Signature, or a path
// that ends in one, such as parse.token.
func IsSecret(name string) bool {
	if strings.EqualFold(name, "key") { // source.columns.key is none
		return true
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	plain := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
	for _, w := range whole {
		if plain == w {
			return true
		}
	}
	for _, e := range endings {
		if strings.HasSuffix(plain, e) {
			return true
		}
	}
	return false
}
