package whole

import (
	"slices"
	"testing"

	"capgraph/ruleparse"
)

// FuzzRevise puts whatever is written into the spelling of whatever caption: all that stays is the
// caption's own.
func FuzzRevise(f *testing.F) {
	f.Add("A man riding a horse.", "A man riding an elephant.")
	f.Add("two  dogs , on a sofa", "a cat")
	f.Add("", "ß’“")
	parser, err := ruleparse.New()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, caption, written string) {
		if len(caption) > 2000 || len(written) > 4000 {
			return
		}
		var r revision
		r.begin(caption, parser)
		if !r.revise(written, parser) {
			return
		}
		if r.countChanges() == 0 != slices.Equal(r.low, r.new) {
			t.Errorf("%d places between %q and %q", r.countChanges(), r.low, r.new)
		}
		for k, i := range r.kept {
			if i >= 0 && r.low[i] != r.new[k] {
				t.Errorf("%q is kept of %q", r.new[k], r.low[i])
			}
		}
	})
}
