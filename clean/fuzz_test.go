package clean

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// FuzzClean checks that any bytes give a text or a reason and never both. A text is valid normal
// UTF-8 without control characters, hardly longer than the caption, and clean.
func FuzzClean(f *testing.F) {
	for _, s := range steps {
		f.Add(s.before, false)
	}
	for _, r := range rules {
		f.Add(r.example, true)
	}
	f.Add("cafÃƒÂ© â€œcafÃ©â€ ＡＢ", false)
	f.Add("<<PERSON>PERSON> &amp;lt;b&gt; \" a - up \" -- 'x' n't .,.", false)
	kept := cleaner(f, func(o *Options) { o.Person, o.Language = PersonKeep, LanguageAny })
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

// FuzzPlain checks that a text on the short path would leave the long one unchanged.
func FuzzPlain(f *testing.F) {
	for _, s := range steps {
		f.Add(s.after)
	}
	f.Add("WWW.")
	f.Add("A man's dog. A 3-legged chair: red")
	f.Fuzz(func(t *testing.T, s string) {
		if isPlainASCII(s) && spellPlainly(s) != s {
			t.Errorf("characters would change %q to %q", s, spellPlainly(s))
		}
		if !isPlain(s) {
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

// FuzzList checks that a list of any bytes is refused, or becomes normal UTF-8 with as many lines
// or more.
func FuzzList(f *testing.F) {
	for _, s := range []string{"", "word\n", "caf\u0065\u0301\r\ndon\u2019t", "\xff\xfea\x00", "a\x00", "\ufeffa\nb", "a\u2028b\n", "\xff\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := PlainLines(data)
		if err != nil {
			return
		}
		if !utf8.ValidString(list) || !norm.NFC.IsNormalString(list) {
			t.Errorf("%q gives %q, which is not normal UTF-8", data, list)
		}
		if strings.Count(list, "\n") < bytes.Count(data, []byte("\n")) {
			t.Errorf("%q gives %q, with fewer lines", data, list)
		}
	})
}
