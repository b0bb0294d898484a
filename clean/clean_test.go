package clean

import (
	"fmt"
	"strings"
	"testing"
)

func cleaner(t testing.TB, change func(*Options)) *Cleaner {
	t.Helper()
	o := Defaults()
	if change != nil {
		change(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEveryStepDoesItsExample(t *testing.T) {
	for _, s := range steps {
		var found findings
		if got := s.apply(s.before, Defaults(), &found); got != s.after {
			t.Errorf("%s: %q became %q, want %q", s.name, s.before, got, s.after)
		}
		if got := s.apply(s.after, Defaults(), &found); got != s.after {
			t.Errorf("%s: %q changed again, to %q", s.name, s.after, got)
		}
	}
}

func TestEveryRuleRejectsItsExample(t *testing.T) {
	c := cleaner(t, func(o *Options) { o.Person, o.MaxWords = PersonReject, 20 })
	for _, r := range rules {
		if text, reason := c.Clean(r.example); reason != r.reason || text != "" {
			t.Errorf("%q: text %q, reason %q; want reason %q", r.example, text, reason, r.reason)
		}
	}
}

func TestClean(t *testing.T) {
	c := cleaner(t, nil)
	for _, test := range []struct{ caption, text string }{
		{"A man riding a wave. ", "A man riding a wave."},
		{"A dog sitting on a footstool\n", "A dog sitting on a footstool"},
		{"\ufeffA dog  on\ta\r\nsofa", "A dog on a sofa"},
		{"A MAN RIDING A WAVE", "A MAN RIDING A WAVE"},
		{"a\x00dog\x1fand a\u200b cat\u00ad", "a dog and a cat"},
		{"cafe\u0301 tables in the sun", "café tables in the sun"},
		{"I <3 my two dogs", "I <3 my two dogs"},
		{"</3 for the dog", "</3 for the dog"},
		{"a sign saying a < b and c > d", "a sign saying a < b and c > d"},
		{"I <heart> pizza on a plate", "I <heart> pizza on a plate"},
		{"a dog <b on a bench", "a dog <b on a bench"},
		{"a <B CLASS='x'>red</B> dog", "a red dog"},
		{"dogs<br/>cats", "dogs cats"},
		{"a dog<script>alert('cat')</script> sleeping", "a dog sleeping"},
		{"a dog<!-- not a cat --> sleeping", "a dog sleeping"},
		{"fish &amp; chips on a plate", "fish & chips on a plate"},
		{"fish &amp;amp;amp; chips", "fish & chips"},
		{"AT&T building at night", "AT&T building at night"},
		{"a dog&#39;s &quot;best&quot; friend", `a dog's "best" friend`},
		{"<PERSON> at the beach", "person at the beach"},
		{"&lt;PERSON&gt; at the beach", "person at the beach"},
		{"&amp;lt;person&amp;gt; at the beach", "person at the beach"},
		{"< PERSON > and <PERSON>, <PERSON><PERSON> dance", "person and person, person dance"},
		{"photo by<PERSON>of a dog", "photo by person of a dog"},
		{"<PERSON>'s red car", "person's red car"},
		{"Man ’s dog — a “good” one…", `Man's dog - a "good" one...`},
		{"a cake that ca n't be eaten", "a cake that can't be eaten"},
		{"the dogs do N'T bark , they 're asleep !", "the dogs doN'T bark, they're asleep!"},
		{"a sign that says \" stop \" on a pole .", `a sign that says "stop" on a pole.`},
		{"three cups ( left ) and $ 5 , 20 % off", "three cups (left) and $5, 20% off"},
		{"a cup -LRB- red -RRB- on a table", "a cup (red) on a table"},
		{"close - up of a t - shirt - red", "close-up of a t-shirt - red"},
		{"a 2 - year - old girl", "a 2-year-old girl"},
		{"a time - lapse of a wall - old and grey", "a time-lapse of a wall - old and grey"},
		{"what a view !!!", "what a view!"},
		{"wow , a dog ... on a bike..", "wow, a dog... on a bike."},
		{"parked on the ground.A man stands near", "parked on the ground. A man stands near"},
		{"a toilet,wash basin and 1,000 tiles", "a toilet, wash basin and 1,000 tiles"},
		{"a flat screen T.V. on a U.S. flag", "a flat screen T.V. on a U.S. flag"},
		{"the beach--kite flying", "the beach - kite flying"},
		{`"A dog on a beach."`, "A dog on a beach."},
		{`"A dog on a beach".`, "A dog on a beach."},
		{`'a dog's bed'`, "a dog's bed"},
		{`"A dog on a beach`, "A dog on a beach"},
		{`""A green bicycle""`, "A green bicycle"},
		{`"LG 55"" TV on a wall"`, `LG 55" TV on a wall`},
		{`"""Calm"" is on a sign"`, `"Calm" is on a sign`},
		{`A TV of 42"`, `A TV of 42"`},
		{`the word "stop" in red and "go" in green`, `the word "stop" in red and "go" in green`},
		{`"stop" on a sign by a "go" sign and "wait"`, `"stop" on a sign by a "go" sign and "wait"`},
		{"- a red dress |", "a red dress"},
		{"Red dress | Shop", "Red dress | Shop"},
		{"dogs at the beach 😀🏖️👍🏽 today", "dogs at the beach today"},
		{"30 °C on a thermometer", "30 °C on a thermometer"},
		{"a #dog on a #beach", "a dog on a beach"},
		{"a dog on the sand #dog #beach #sun", "a dog on the sand"},
		{"bus #41 at the curb", "bus #41 at the curb"},
		{"a dog, see https://example.org/a?b=1 for more", "a dog, see for more"},
		{"a dog and a cat IMG_2041.JPG", "a dog and a cat"},
		{`a dog\non a beach with a \"ball\"`, `a dog on a beach with a "ball"`},
		{"sign reading 東京 above a door", "sign reading 東京 above a door"},
	} {
		text, reason := c.Clean(test.caption)
		if text != test.text || reason != "" {
			t.Errorf("%q became %q (reason %q), want %q", test.caption, text, reason, test.text)
		}
	}
}

// manyWords returns n words of English, at least.
func manyWords(n int) string {
	var b strings.Builder
	for i := range n / 4 {
		fmt.Fprintf(&b, "the dog saw %d ", i)
	}
	return b.String()
}

func TestReject(t *testing.T) {
	c := cleaner(t, nil)
	for _, test := range []struct{ caption, reason string }{
		{"", ReasonEmpty},
		{" \u00a0\t", ReasonEmpty},
		{"\ufeff", ReasonLetters},
		{"caf\xe9 tables", ReasonEncoding},
		{"caf\ufffd tables", ReasonEncoding},
		{"a dog\xf0\x9f", ReasonEncoding},
		{"😀😀", ReasonLetters},
		{"...", ReasonLetters},
		{"www.example.org/dog", ReasonLinks},
		{"DSC_0012.JPG", ReasonLinks},
		{"#love #dog #beach", ReasonLinks},
		{"a dog", ""},
		{"dog", ReasonShort},
		{"a b", ReasonShort},
		{"狗在沙滩上 一只 a", ReasonLanguage},
		{"собака на пляже", ReasonLanguage},
		{"un perro en la playa", ReasonLanguage},
		{"Hall Chevy logo", ""},
		{"Renault Clio IV 2013", ""},
		{manyWords(5004), ReasonLong},
		{strings.Repeat("<b>a dog</b> ", 20_000), ReasonLong}, // not cleaned at all
		{manyWords(5000), ""},
		{strings.Repeat("a&", 3) + strings.Repeat("amp;", 20) + "lt; dog", ReasonNested},
	} {
		if text, reason := c.Clean(test.caption); reason != test.reason {
			t.Errorf("%.80q: reason %q (text %.80q), want %q", test.caption, reason, text, test.reason)
		}
	}
}

func TestPersonKeptOrRejected(t *testing.T) {
	keep := cleaner(t, func(o *Options) { o.Person = PersonKeep })
	if text, reason := keep.Clean("&lt;person&gt; and <PERSON> dance"); text != "<PERSON> and <PERSON> dance" || reason != "" {
		t.Errorf("kept: %q, %q", text, reason)
	}
	reject := cleaner(t, func(o *Options) { o.Person = PersonReject })
	if _, reason := reject.Clean("&lt;PERSON&gt; dances on a table"); reason != ReasonPerson {
		t.Errorf("rejected for %q", reason)
	}
}

func TestAnyLanguage(t *testing.T) {
	c := cleaner(t, func(o *Options) { o.Language = LanguageAny })
	for _, s := range []string{"собака на пляже", "می\u200cروم خانه", "кошка и собака, 2014", "一个男人骑着马", "un perro en la playa"} {
		if text, reason := c.Clean(s); text != s || reason != "" {
			t.Errorf("%q became %q (%q)", s, text, reason)
		}
	}
}

func TestImpossibleOptions(t *testing.T) {
	for key, change := range map[string]func(*Options){
		"person":    func(o *Options) { o.Person = "drop" },
		"language":  func(o *Options) { o.Language = "de" },
		"min_words": func(o *Options) { o.MinWords = 0 },
		"max_words": func(o *Options) { o.MaxWords = 1 },
		"max_chars": func(o *Options) { o.MaxChars = 4 },
	} {
		o := Defaults()
		change(&o)
		if _, err := New(o); err == nil || !strings.HasPrefix(err.Error(), key+": ") {
			t.Errorf("%s: error %v", key, err)
		}
	}
	if err := Defaults().Validate(); err != nil {
		t.Error(err)
	}
}

func TestPlainCaptionsAllocateNothing(t *testing.T) {
	c := cleaner(t, nil)
	const caption = " A man's dog, in a red collar, sits next to a 3-legged chair. \n"
	if n := testing.AllocsPerRun(100, func() { c.Clean(caption) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
