package language

import (
	"strings"
	"testing"
)

// english are captions and titles that are English, or English enough.
var english = []string{
	"", "2013", "a dog", "A man riding a wave on top of a surfboard.", "Hall Chevy logo", "Renault Clio IV 2013", "BMW X5",
	"Barack Obama and Angela Merkel in Berlin", "café tables in the sun", "spaghetti bolognese with parmesan", "crème brûlée in a bowl",
	"Sony Ericsson Xperia X10 mini", "Las Vegas strip at night", "El Capitan, Yosemite National Park",
	"a sign reading 東京 above a door", "women's leather jacket with laces", "Mercedes-Benz C-Class", "San Francisco skyline", "kitten", "die cast model car",
	"a taco and a burrito on a plate", "Leonardo DiCaprio at the Cannes Film Festival", "IKEA Malm bed frame", "A MAN IN A KIMONO",
	strings.Repeat("a dog and ", 500), strings.Repeat("x", 10000),
}

var foreign = []string{
	"Ein kleiner Hund sitzt neben einem roten Fahrrad auf der Straße", "ein Hund am Strand", "mann reitet ein pferd", "Pferd am Strand bei Sonnenuntergang",
	"un homme monte à cheval sur la plage", "Une femme assise sur une chaise lit un livre", "chien noir avec un chapeau",
	"Una mujer sentada en una silla leyendo un libro grande", "un perro en la playa", "zapatos de mujer negros",
	"un uomo con un cappello rosso", "ragazza che legge un libro in giardino", "um homem andando de bicicleta na rua", "mulher com vestido vermelho",
	"een man op een fiets in de regen", "twee katten slapen op de bank", "mężczyzna jedzie na rowerze przez las", "czarny kot na kanapie",
	"en man med en röd hatt på stranden", "mies ajaa polkupyörällä metsässä", "bir adam sahilde ata biniyor", "kırmızı elbiseli kadın",
	"muž jede na kole lesem", "egy férfi lovagol a tengerparton", "un bărbat călare pe plajă", "seorang pria naik kuda di pantai",
	"en hund løber på stranden", "một người đàn ông cưỡi ngựa trên bãi biển",
	"Девочка играет с собакой в парке", "一个男人骑着一匹棕色的马", "犬がビーチで走っている", "رجل يركب حصانا على الشاطئ", "ΕΝΑΣ ΣΚΥΛΟΣ",
}

func TestIsEnglish(t *testing.T) {
	for _, text := range english {
		if !IsEnglish(text) {
			t.Errorf("%.80q is not English, score %d", text, Score(model, text))
		}
	}
	for _, text := range foreign {
		if IsEnglish(text) {
			t.Errorf("%q is English, score %d", text, Score(model, text))
		}
	}
}

func TestDecisionDoesNotAllocate(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { IsEnglish("a woman in a café with two red umbrellas") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " 12 ": "", "A Dog's bed": "dog bed", "Nikon D90, ÉTÉ": "nikon été", "a\xffbc dé": "bc dé", "x I": "",
	} {
		var got []string
		for w := NewWords(text); w.Next(); {
			got = append(got, strings.Trim(string(w.buffer[:w.n]), " "))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, want %q", text, s, want)
		}
	}
}

func FuzzIsEnglish(f *testing.F) {
	for _, text := range append(english, foreign...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if again := " " + text + " ."; IsEnglish(again) != IsEnglish(text) {
			t.Errorf("%q and %q differ", text, again)
		}
	})
}

func BenchmarkIsEnglish(b *testing.B) {
	for b.Loop() {
		IsEnglish("A young boy with an umbrella who is touching the horn of a cow.")
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "captions/s")
}
