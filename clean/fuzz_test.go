package clean

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// FuzzClean checks what holds of any bytes: a text or a reason and never both,
// valid normal UTF-8 without control characters, no growth to speak of, and
// nothing left to clean.
func FuzzClean(f *testing.F) {
	for _, s := range steps {
		f.Add(s.before, false)
	}
	for _, r := range rules {
		f.Add(r.example, true)
	}
	f.Add("<<PERSON>PERSON> &amp;lt;b&gt; \" a - up \" -- 'x' n't .,.", false)
	kept := cleaner(f, func(o *Options) { o.Person, o.Script = PersonKeep, ScriptAny })
	usual := cleaner(f, nil)
	f.Fuzz(func(t *testing.T, caption string, keep bool) {
		c := usual
		if keep {
			c = kept
		}
		text, reason := c.Clean(caption)
		if (text == "") == (reason == "") {
			t.Fatalf("%q: text %q, reason %q", caption, text, reason)
		}
		if reason != "" {
			return
		}
		if !utf8.ValidString(text) || !norm.NFC.IsNormalString(text) || strings.ContainsAny(text, "\x00\t\r\n\u00a0\u200b\ufeff") || strings.Contains(text, "  ") {
			t.Errorf("%q: %q is no clean text", caption, text)
		}
		if len(text) > 4*len(caption)+16 {
			t.Errorf("%d bytes became %d", len(caption), len(text))
		}
		if again, reason := c.Clean(text); again != text || reason != "" {
			t.Errorf("%q became %q, and that %q (%s)", caption, text, again, reason)
		}
	})
}

// FuzzPlain checks that what takes a short way would come out of the long one
// unchanged.
func FuzzPlain(f *testing.F) {
	for _, s := range steps {
		f.Add(s.after)
	}
	f.Add("WWW.")
	f.Add("A man's dog. A 3-legged chair: red")
	f.Fuzz(func(t *testing.T, s string) {
		if asWritten(s) && spell(s) != s {
			t.Errorf("characters would change %q to %q", s, spell(s))
		}
		if !plain(s) {
			return
		}
		var found findings
		for _, step := range steps {
			if got := step.apply(s, Defaults(), &found); got != s {
				t.Errorf("%s changes %q to %q", step.name, s, got)
			}
		}
	})
}
