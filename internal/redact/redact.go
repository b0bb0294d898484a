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
	// user is the user and the password of an address. A password may have a slash, which no
	// port has.
	user = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*:/+)(?:[^/?#\s@]*@|[^/?#\s@:]+:[^/\s@]*[^0-9/\s@][^\s@]*@)+`)
	// setting is a name with a value, as queries and command lines have them.
	setting = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_.-]*)=([^\s&;,"']+)`)
)

// Text is a text without the user and password of addresses, and without the values of what is
// named as a secret, such as api_key=….
func Text(text string) string {
	text = user.ReplaceAllString(text, "${1}"+Masked+"@")
	return setting.ReplaceAllStringFunc(text, func(pair string) string {
		name, value, _ := strings.Cut(pair, "=")
		if !IsSecret(name) || value == "VALUE" { // messages name the form --set KEY=VALUE
			return pair
		}
		return name + "=" + Masked
	})
}

// Holds reports whether a text holds an address with a user, a password or a signature.
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

// endings are what the names of secrets end in, small and without marks between the words.
var endings = []string{
	"apikey", "accesskey", "accountkey", "authkey", "secretkey", "privatekey", "sharedkey", "keyid",
	"accesstoken", "apitoken", "authtoken", "bearertoken", "idtoken", "refreshtoken", "securitytoken", "sessiontoken",
	"secret", "password", "passwd", "passphrase", "authorization", "credential", "credentials", "signature", "headers",
}

// whole are the names of secrets that longer names may end in, as bos_token does.
var whole = []string{"token", "sig", "pwd", "pass", "auth", "bearer"}

// IsSecret reports whether a name is the name of a secret, such as api_key or X-Amz-Signature, or
// the path of such a key, such as parse.token.
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
