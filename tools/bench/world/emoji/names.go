package emoji

import (
	"regexp"
	"slices"
	"strings"
)

// family is a set of kinds of things that have attributes of one sort.
type family struct {
	name  string   // in the names of tests
	forms []string // phrases for a thing, without an article
}

var (
	skins   = &family{Tones, []string{"{kind} with {attribute} skin", "{attribute}-skinned {kind}"}}
	colours = &family{Colours, []string{"{attribute} {kind}"}}
	plain   = &family{"plain", []string{"{kind}"}} // without attributes
)

// forms is the largest number of forms of a family.
const forms = 2

// toneNames are the tones of skin.
var toneNames = []string{"light", "medium-light", "medium", "medium-dark", "dark"}

// people are the kinds of persons and hands that scenes have, under their names in CLDR.
var people = []string{
	"man", "woman", "boy", "girl", "baby", "old man", "old woman", "farmer", "cook", "student", "teacher", "judge", "mechanic", "scientist",
	"artist", "singer", "pilot", "astronaut", "firefighter", "police officer", "detective", "guard", "construction worker", "prince", "princess",
	"ninja", "superhero", "mage", "fairy", "vampire", "elf", "mermaid", "health worker", "raised fist", "waving hand",
}

// objects are the kinds of things without an attribute that scenes have.
var objects = []string{
	"cat", "dog", "fish", "banana", "key", "automobile", "house", "pizza", "star", "bicycle", "airplane", "guitar", "owl", "bear", "tulip", "cactus",
	"carrot", "mushroom", "hammer", "chair", "door", "bell", "umbrella", "rocket", "snowman", "turtle", "penguin", "lemon", "crown",
}

var (
	skinSuffix = regexp.MustCompile(`[:,] ((?:medium-)?(?:light|dark)|medium) skin tone`)
	colourName = regexp.MustCompile(`^(?:large )?(light blue|red|orange|yellow|green|blue|purple|brown|black|white|pink|grey) (?:large )?(heart|circle|square|diamond|book|apple)$`)
)

// kind returns the name without the tones of skin.
func (e character) kind() string { return skinSuffix.ReplaceAllString(e.Name, "") }

// tones returns the tones of skin of an emoji.
func (e character) tones() (names []string) {
	for _, suffix := range skinSuffix.FindAllStringSubmatch(e.Name, -1) {
		names = append(names, suffix[1])
	}
	return names
}

// combination is a kind of thing with an attribute, which may be empty.
type combination struct{ kind, attribute string }

// thing is the content of a picture.
type thing struct {
	*family
	combination
	picture *picture
}

// newThing returns the content of an emoji's picture, or false if scenes do not use it.
func newThing(e character, p *picture) (thing, bool) {
	tones, kind := e.tones(), e.kind()
	switch colour := colourName.FindStringSubmatch(e.Name); {
	case strings.HasPrefix(e.Group, "extras"):
	case slices.Contains(people, kind) && len(tones) == 1:
		return thing{skins, combination{kind, tones[0]}, p}, true
	case colour != nil:
		return thing{colours, combination{colour[2], colour[1]}, p}, true
	case slices.Contains(objects, e.Name):
		return thing{plain, combination{kind: e.Name}, p}, true
	}
	return thing{}, false
}

// withAttribute returns the thing with another attribute.
func (t thing) withAttribute(attribute string) thing {
	t.attribute = attribute
	return t
}

// withKind returns the thing as another kind.
func (t thing) withKind(kind string) thing {
	t.kind = kind
	return t
}

// phrase names a thing with its attribute and an article, in one of the forms.
func (t thing) phrase(form int) string {
	words := t.forms[form%len(t.forms)]
	return addArticle(strings.NewReplacer("{kind}", t.kind, "{attribute}", t.attribute).Replace(words))
}

// barePhrase returns a thing's name with an article and without its attribute.
func (t thing) barePhrase() string { return addArticle(t.kind) }

func addArticle(words string) string {
	if strings.ContainsRune("aeiou", rune(words[0])) {
		return "an " + words
	}
	return "a " + words
}

// overlaps reports whether a thing of one kind may be called by the other's name, such as an old
// man and a man.
func overlaps(a, b string) bool {
	return a == b || strings.HasSuffix(a, " "+b) || strings.HasSuffix(b, " "+a)
}
