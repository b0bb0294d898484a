package lexicon

import (
	"slices"
	"strings"
	"testing"
)

func open(t *testing.T) *Lexicon {
	t.Helper()
	l, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// kindOf reports whether a's first sense is b's or a kind of it.
func kindOf(l *Lexicon, a, b string) bool {
	x, y := l.NounSenses(a)[0], l.NounSenses(b)[0]
	return x == y || slices.Contains(l.Ancestors(x, nil), y)
}

func TestNoun(t *testing.T) {
	l := open(t)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"couch", "sofa", true},
		{"kid", "child", true},
		{"man", "person", true},
		{"person", "man", false},
		{"dog", "animal", true},
		{"dog", "person", false},
		{"wiener dog", "dog", true},
		{"hot dog", "dog", false},
		{"table", "chair", false},
	} {
		if got := kindOf(l, c.a, c.b); got != c.want {
			t.Errorf("%q is a kind of %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if s := l.NounSenses("zzyzx"); s != nil {
		t.Errorf("an unknown noun has senses %v", s)
	}
}

func TestAdjectives(t *testing.T) {
	l := open(t)
	if !l.AreSimilarAdjectives("large", "big") || l.AreSimilarAdjectives("large", "small") {
		t.Error("large should be similar to big and not to small")
	}
	if o := l.Opposites("edible", nil); !slices.Contains(o, "inedible") {
		t.Errorf("opposites of edible: %v", o)
	}
}

// Every row of dimensions.txt is tested by its example: the word that differs is replaced by one of
// the same dimension with another value.
func TestDimensionExamples(t *testing.T) {
	l := open(t)
	rows := 0
	for line := range strings.Lines(dimensionRows) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		rows++
		f := strings.Split(line, "|")
		if len(f) != 3 {
			t.Errorf("row %q has %d fields, want 3", line, len(f))
			continue
		}
		dimension := strings.TrimSpace(f[0])
		before, after, ok := strings.Cut(f[1], ">")
		if !ok {
			t.Errorf("%s: the example has no >", dimension)
		}
		a, b := attribute(l, before), attribute(l, after)
		if !l.AreExclusive(a, b) || !l.AreExclusive(b, a) {
			t.Errorf("%s: %q and %q do not exclude each other", dimension, a, b)
		}
		if !slices.ContainsFunc(l.Values(a), func(v Value) bool { return l.Dimension(v) == dimension }) {
			t.Errorf("%s: %q is not in it", dimension, a)
		}
	}
	if rows < 40 {
		t.Errorf("%d rows", rows)
	}
}

// attribute returns the longest known attribute that a phrase begins with, after its article.
func attribute(l *Lexicon, phrase string) string {
	words := strings.Fields(strings.ToLower(phrase))
	if words[0] == "a" || words[0] == "an" || words[0] == "the" {
		words = words[1:]
	}
	for n := len(words); n > 0; n-- {
		if a := strings.Join(words[:n], " "); l.Values(a) != nil {
			return a
		}
	}
	return ""
}

func TestExclude(t *testing.T) {
	l := open(t)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"red", "blue", true},
		{"red", "maroon", false},
		{"red", "red", false},
		{"brown", "wooden", false},
		{"large", "big", false},
		{"old", "new", true},
		{"old", "young", true},
		{"two", "2", false},
		{"unheard", "red", false},
	} {
		if got := l.AreExclusive(c.a, c.b); got != c.want {
			t.Errorf("Exclude(%q, %q) = %v", c.a, c.b, got)
		}
	}
}

func TestInflect(t *testing.T) {
	f := NewInflector()
	for _, c := range []struct{ singular, plural string }{
		{"dog", "dogs"}, {"bus", "buses"}, {"tennis racket", "tennis rackets"}, {"woman", "women"}, {"man", "men"},
		{"policeman", "policemen"}, {"human", "humans"}, {"child", "children"}, {"berry", "berries"},
		{"toy", "toys"}, {"bench", "benches"}, {"knife", "knives"}, {"sheep", "sheep"}, {"goldfish", "goldfish"},
		{"box", "boxes"}, {"glass", "glasses"}, {"person", "people"}, {"cow", "cows"}, {"tie", "ties"},
	} {
		if got := f.Plural(c.singular); got != c.plural {
			t.Errorf("Plural(%q) = %q, want %q", c.singular, got, c.plural)
		}
		if c.singular == "glass" || c.singular == "tie" {
			continue // not decided by the plural's letters
		}
		if got := f.Singular(c.plural); got != c.singular {
			t.Errorf("Singular(%q) = %q, want %q", c.plural, got, c.singular)
		}
	}
	for _, c := range []struct{ base, gerund, third, past, participle string }{
		{"sit on", "sitting on", "sits on", "sat on", "sat on"},
		{"ride", "riding", "rides", "rode", "ridden"},
		{"lie", "lying", "lies", "lay", "lain"},
		{"watch", "watching", "watches", "watched", "watched"},
		{"carry", "carrying", "carries", "carried", "carried"},
		{"play", "playing", "plays", "played", "played"},
		{"look at", "looking at", "looks at", "looked at", "looked at"},
		{"stop", "stopping", "stops", "stopped", "stopped"},
		{"open", "opening", "opens", "opened", "opened"},
		{"begin", "beginning", "begins", "began", "begun"},
		{"be", "being", "is", "was", "been"},
		{"see", "seeing", "sees", "saw", "seen"},
		{"eat", "eating", "eats", "ate", "eaten"},
		{"go", "going", "goes", "went", "gone"},
		{"picnic", "picnicking", "picnics", "picnicked", "picnicked"},
		{"mix", "mixing", "mixes", "mixed", "mixed"},
	} {
		got := []string{f.Gerund(c.base), f.ThirdPerson(c.base), f.Past(c.base), f.Participle(c.base)}
		if want := []string{c.gerund, c.third, c.past, c.participle}; !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", c.base, got, want)
		}
	}
}

func TestArticle(t *testing.T) {
	for word, want := range map[string]string{
		"dog": "a", "apple": "an", "umbrella": "an", "unicorn": "a", "uniform": "a", "uninhabited": "an", "used": "a",
		"hour": "an", "house": "a", "honest": "an", "one": "a", "one-way": "a", "onion": "an", "SUV": "an", "NYC": "an",
		"TV": "a", "USB": "a", "8": "an", "11": "an", "18th": "an", "80s": "an", "1": "a", "110": "a", "European": "a",
		"European's": "a", `"open"`: "an", "X-ray": "an", "A": "an", "BMW": "a", "": "a", "éclair": "an", "ONE": "a",
		"urn": "an", "urinal": "a", "usual": "a", "ukulele": "a", "heirloom": "an", "OPEN": "an", "FedEx": "a",
	} {
		if got := Article(word); got != want {
			t.Errorf("Article(%q) = %q, want %q", word, got, want)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		if _, err := readEmbedded(); err != nil {
			b.Fatal(err)
		}
	}
}
