package main

import "testing"

func TestLicenceOfADatasetCard(t *testing.T) {
	for card, want := range map[string]string{
		"---\nlicense: cc-by-sa-4.0\nlanguage:\n- en\n---\n# Captions\n": "cc-by-sa-4.0",
		"---\r\nlicense: mit\r\n---\r\n":                                 "mit",
		"---\nlicense:\n- cc-by-nc-4.0\n- mit\n---\n":                    "cc-by-nc-4.0",
		"---\nlicense: other\nlicense_name: apple-amlr\n---\n":           "apple-amlr",
		"---\nlicense: other\n---\n":                                     "other",
		"---\nlanguage: en\n---\nlicense: mit\n":                         "",
		"# Captions\nlicense: mit\n":                                     "",
		"---\nlicense: mit":                                              "",
		"---\nlicense: {a: b}\n---\n":                                    "",
		"---\n\t: [\n---\n":                                              "",
		"":                                                               "",
	} {
		if got := licenceOfCard(card); got != want {
			t.Errorf("%q: %q, want %q", card, got, want)
		}
	}
}
