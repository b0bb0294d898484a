package say

import "testing"

// The caption keeps what the change does not force: its case, its punctuation, its
// articles.
func TestRespell(t *testing.T) {
	for _, c := range []struct{ caption, said, negative, want string }{
		{`A "Red" dog on the mat.`, "a red dog on a mat", "a black dog on a mat", `A "black" dog on the mat.`},
		{"Red dog on mat", "a red dog on a mat", "an orange dog on a mat", "Orange dog on mat"},
		{"The dog on the mat", "a dog on a mat", "a cat on a mat", "The cat on the mat"},
		{"A dog on the mat!", "a dog on a mat", "an owl on a mat", "An owl on the mat!"},
		{"an old man riding his horse", "an old man riding his horse", "a young man riding his horse", "a young man riding his horse"},
		{"A dog on the mat", "a dog on a mat", "grass on a mat", "Grass on the mat"},
		{"Grass on the mat", "grass on a mat", "a dog on a mat", "A dog on the mat"},
		{"A brown dog lies on mats", "a brown dog lies on mats", "brown grass lies on mats", "Brown grass lies on mats"},
		{"dog next to the mat", "a dog next to a mat", "a dog under a mat", "dog under the mat"},
		{"DOG ON MAT", "a dog on a mat", "a cat on a mat", "CAT ON MAT"},
		{"Two Men are riding a bus", "two men are riding a bus", "a man is riding a bus", "A man is riding a bus"},
		{"the woman's red-and-white hat", "a woman's red and white hat", "a woman's blue and white hat", "the woman's blue-and-white hat"},
		{"a dog", "a dog", "a dog house", "a dog house"},
		{"a ship in a floating dock", "a ship in a floating dock", "a ship in the floating hangar", "a ship in a floating hangar"},
		{"a ship in a dock", "a ship in a dock", "a ship in the sky", "a ship in the sky"},
		{"a dog house", "a dog house", "a house", "a house"},
	} {
		var r Respell
		titled := c.caption == "DOG ON MAT"
		got, fits := r.Apply(nil, c.caption, c.said, c.negative, titled)
		if !fits || string(got) != c.want {
			t.Errorf("%q, as %q and %q: %q, %v; want %q", c.caption, c.said, c.negative, got, fits, c.want)
		}
	}
	for _, c := range [][4]string{{"a dog", "a cat", "a bird"}, {"a dog", "a dog", "the dog"}, {"", "", "a dog"},
		{"Ring sitting in the middle of a room.", "a ring sitting in the middle of a room", "a ring in the corner of a room"},
		{"Keep calm and sing songs for your bear", "keep calm and sing songs for your bear", "a keep calm and sing songs for your cow", ""}} {
		var r Respell
		if got, fits := r.Apply(nil, c[0], c[1], c[2], false); fits {
			t.Errorf("%q gives %q", c, got)
		}
	}
}
