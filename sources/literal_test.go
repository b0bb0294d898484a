package sources

import "testing"

// TestLiteralValue reads what Python and NumPy print.
func TestLiteralValue(t *testing.T) {
	for text, want := range map[string]string{
		`['a dog', "a man's dog"]`:                              `["a dog","a man's dog"]`,
		`['a dog\'s day', 'x\\y', '\xe9\u00e9']`:                `["a dog's day","x\\y","éé"]`,
		`["a dog", "a cat"]`:                                    `["a dog", "a cat"]`,
		"['a dog on a mat'\n 'a cat']":                          `["a dog on a mat","a cat"]`,
		`array(['a dog', 'a cat'], dtype=object)`:               `["a dog","a cat"]`,
		`('a dog', 'a cat',)`:                                   `["a dog","a cat"]`,
		`{'a dog', 'a cat'}`:                                    `["a dog","a cat"]`,
		`{'a dog'}`:                                             `["a dog"]`,
		`{'a dog',}`:                                            `["a dog"]`,
		`{'caption': 'a dog', 'n': -1.5, 'x': None, 'y': True}`: `{"caption":"a dog","n":-1.5,"x":null,"y":true}`,
		`[{'raw': 'a dog'}, {'raw': 'a cat'}]`:                  `[{"raw":"a dog"},{"raw":"a cat"}]`,
		`[]`:                                                    `[]`,
		`[  ]`:                                                  `[  ]`,
		`[ ('a',), ]`:                                           `[["a"]]`,
		`['a dog' ... 'a cat']`:                                 ``,
		`['a dog', 'a cat`:                                      ``,
		`[a dog, a cat]`:                                        ``,
		`(a dog on the left)`:                                   ``,
		`[shutterstock] a dog (left)`:                           ``,
		`a dog ['x']`:                                           ``,
		`['\x4']`:                                               ``,
		`['\ud800']`:                                            ``,
		`'a dog'`:                                               ``,
		``:                                                      ``,
	} {
		if got := string(literalValue(text)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func FuzzLiteralValue(f *testing.F) {
	f.Add(`[{'raw': 'a dog\u00e9', "n": [1, (2,)]}, array(['x'], dtype=object), {'a', 'b'}]`)
	f.Fuzz(func(t *testing.T, text string) {
		if v := literalValue(text); v != nil && !v.IsValid() {
			t.Errorf("%q is %s", text, v)
		}
	})
}
