//go:build lingua

package curate

import "testing"

func TestLanguages(t *testing.T) {
	f, err := New(Options{MaxRepetition: 1, MaxDigits: 1, Languages: []string{"en"}})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		rules[len(rules)-1].example:                              ReasonLanguage,
		"A young boy with an umbrella is touching a cow.":        "",
		"Девочка играет с собакой в парке":                       ReasonLanguage,
		"Una mujer sentada en una silla leyendo un libro grande": ReasonLanguage,
		"":      "",
		"12345": "",
	} {
		if got := f.Check(text); got != want {
			t.Errorf("%q is turned away for %q, want %q", text, got, want)
		}
	}
}

func BenchmarkLanguage(b *testing.B) {
	f, err := New(Options{MaxRepetition: 1, MaxDigits: 1, Languages: []string{"en"}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f.Check("A young boy with an umbrella who is touching the horn of a cow.")
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "captions/s")
}
