package stages

import "testing"

func TestTermsOfLicences(t *testing.T) {
	const (
		under = "\nThe captions are under "
		texts = ", and so are the texts made of them.\n"
		alike = "\n- share-alike: whoever shares these texts, or what is made of them, does so under the same licence"
		nc    = "\n- non-commercial: these texts are not for commercial use"
	)
	for licence, want := range map[string][2]string{
		"":                {"", ""},
		"cc-by-4.0":       {"license: cc-by-4.0\n", under + "cc-by-4.0" + texts},
		"cc-by-sa-4.0":    {"license: cc-by-sa-4.0\n", under + "cc-by-sa-4.0" + texts + alike + "\n"},
		"cc-by-nc-sa-4.0": {"license: cc-by-nc-sa-4.0\n", under + "cc-by-nc-sa-4.0" + texts + alike + nc + "\n"},
		"CC BY-NC 4.0":    {"license: other\nlicense_name: \"CC BY-NC 4.0\"\n", under + "CC BY-NC 4.0" + texts + nc + "\n"},
		"llama3-sample":   {"license: llama3-sample\n", under + "llama3-sample" + texts},
	} {
		if matter, lines := licenceLines(licence); matter != want[0] || lines != want[1] {
			t.Errorf("%q: %q, %q; want %q", licence, matter, lines, want)
		}
	}
}
