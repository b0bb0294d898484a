package clean

import (
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// misread returns what s becomes if its UTF-8 is read as Windows-1252, with Latin-1 for bytes that
// have no character there.
func misread(s string) string {
	var out []rune
	for i := range len(s) {
		r := charmap.Windows1252.DecodeByte(s[i])
		if r == 0xfffd {
			r = rune(s[i])
		}
		out = append(out, r)
	}
	return string(out)
}

// A text that was read in the wrong encoding, once, twice or three times, is cleaned as the text.
func TestMojibakeIsMended(t *testing.T) {
	c := cleaner(t, nil)
	for _, s := range []string{
		"a café in Málaga", "I don’t know the dog’s name", "“a red car” – it’s new…", "a naïve girl with a piñata", "30 °C and 5 µm on a sign",
		"the KÖLN sign, 2 × 3 m", "crème brûlée at €5", "Dvořák and Škoda on a poster", "a sign reading 東京 above a door", "a dog 😀 on the beach",
		"an œuvre in the Musée d’Orsay", "Beyoncé", "¿a dog? ½ of a pizza", "a woman with a menu à la carte at a table", "ÀÉÎÕÜ on a wall", "Ágnes holding a cat",
	} {
		want, reason := c.Clean(s + " on a wall")
		if reason != "" {
			t.Fatalf("%q: %s", s, reason)
		}
		for i, bad := 1, misread(s+" on a wall"); i <= 3; i, bad = i+1, misread(bad) {
			if got, reason := c.Clean(bad); got != want {
				t.Errorf("%d times: %q became %q (%s), want %q", i, bad, got, reason, want)
			}
		}
	}
	for caption, want := range map[string]string{
		"cafÃ© tables":                         "café tables",
		"caf&Atilde;&copy; tables":             "café tables",
		"donâ€™t feed the cat":                 "don't feed the cat",
		"â€œhelloâ€ on a sign by a door":       `"hello" on a sign by a door`,
		"a hotel\u00e2\u0080\u0099s door":      "a hotel's door", // Latin-1
		"30Â°C and 20Â\u00a0kg on a sign":      "30°C and 20 kg on a sign",
		"a ｒｅｄ ｃａｒ，２０２０":                       "a red car,2020",
		"a\u3000ＤＯＧ\u3000on the beach":         "a DOG on the beach",
		"the ‘CAFÄ’ sign":                      "the 'CAFÄ' sign", // stays
		"she said “a café”… and left":          `she said "a café"... and left`,
		"SÃO PAULO skyline at night":           "SÃO PAULO skyline at night",
		"a bottle of Ångström ale":             "a bottle of Ångström ale",
		"Château Âge d’Or on a label of a red": "Château Âge d'Or on a label of a red",
		"fiancé’s ring in a box":               "fiancé's ring in a box",
	} {
		if got, reason := c.Clean(caption); got != want {
			t.Errorf("%q became %q (%s), want %q", caption, got, reason, want)
		}
	}
	if _, reason := c.Clean("caf\ufffd tables in the sun"); reason != ReasonEncoding {
		t.Errorf("a lost character gives %q", reason)
	}
}
