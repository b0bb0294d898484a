package graphs

import "testing"

// TestSpice has graphs whose words are others of WordNet's synsets, in the form of FACTUAL.
func TestSpice(t *testing.T) {
	for _, c := range []struct {
		what, got, gold string
		want            float64
	}{
		{"nothing at all", "", "", 1},
		{"nothing found", "", "( dog )", 0},
		{"the same words", "( dog , on , sofa )", "( dog , on , sofa )", 1},
		{"a synonym", "( dog , on , couch )", "( dog , on , sofa )", 1},
		{"a plural", "( sofas )", "( couch )", 1},
		{"an adjective", "( dog , is , big )", "( dog , is , large )", 1},
		{"another thing", "( dog , on , chair )", "( dog , on , sofa )", 2.0 / 6},
		{"an object is no attribute", "( dog , is , couch )", "( dog , on , sofa )", 2.0 / 5},
		{"two for one", "( couch ) , ( sofa )", "( lounge )", 2.0 / 3},
		{"words that WordNet has not", "( qwzx )", "( qwzy )", 0},
	} {
		s := newScore(t)
		s.Add(1, triples(t, c.got), triples(t, c.gold))
		if got := s.All.Spice(); got != c.want {
			t.Errorf("%s: %s of %s is %g, want %g", c.what, c.got, c.gold, got, c.want)
		}
	}
}
