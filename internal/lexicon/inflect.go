package lexicon

import "strings"

// irregularNouns has a line "singular plural" for each noun whose plural follows no rule.
const irregularNouns = `child children
person people
foot feet
tooth teeth
goose geese
mouse mice
ox oxen
leaf leaves
loaf loaves
calf calves
half halves
elf elves
shelf shelves
self selves
wolf wolves
thief thieves
knife knives
wife wives
life lives
hoof hooves
scarf scarves
cactus cacti
passerby passersby
sheep sheep
deer deer
fish fish
moose moose
bison bison
cattle cattle
aircraft aircraft
spacecraft spacecraft
watercraft watercraft
hovercraft hovercraft
series series
species species
offspring offspring
salmon salmon
shrimp shrimp
squid squid
quiz quizzes
bus buses
gas gases
lens lenses
canvas canvases
circus circuses
walrus walruses
hippopotamus hippopotamuses
campus campuses
iris irises
buffalo buffalo
potato potatoes
tomato tomatoes
hero heroes
mango mangoes
echo echoes
mosquito mosquitoes
tornado tornadoes
volcano volcanoes
torpedo torpedoes
domino dominoes`

// pluralOnly are nouns without a singular.
const pluralOnly = ` pants jeans shorts trousers tights leggings glasses sunglasses eyeglasses goggles scissors clothes pajamas
pyjamas graphics overalls binoculars headphones earphones tongs pliers tweezers surroundings belongings stairs people cattle `

// irregularVerbs has a line "base past participle" for each irregular verb.
const irregularVerbs = `be was been
have had had
do did done
go went gone
sit sat sat
lie lay lain
lay laid laid
stand stood stood
hold held held
ride rode ridden
eat ate eaten
drive drove driven
fly flew flown
take took taken
make made made
get got gotten
give gave given
see saw seen
catch caught caught
throw threw thrown
hit hit hit
cut cut cut
put put put
set set set
let let let
read read read
run ran run
swim swam swum
sing sang sung
drink drank drunk
swing swung swung
hang hung hung
wear wore worn
lead led led
feed fed fed
fall fell fallen
grow grew grown
blow blew blown
draw drew drawn
show showed shown
know knew known
write wrote written
sleep slept slept
keep kept kept
leave left left
feel felt felt
bring brought brought
buy bought bought
build built built
bend bent bent
send sent sent
spend spent spent
break broke broken
speak spoke spoken
wake woke woken
choose chose chosen
freeze froze frozen
steal stole stolen
bite bit bitten
hide hid hidden
slide slid slid
stick stuck stuck
strike struck struck
win won won
wind wound wound
bind bound bound
find found found
fight fought fought
teach taught taught
think thought thought
seek sought sought
sell sold sold
tell told told
say said said
pay paid paid
meet met met
shoot shot shot
shine shone shone
shake shook shaken
tear tore torn
spread spread spread
shut shut shut
split split split
spin spun spun
sweep swept swept
lean leaned leaned
come came come
become became become
overlook overlooked overlooked
begin began begun
ring rang rung
rise rose risen
dig dug dug
cast cast cast
hurt hurt hurt
lose lost lost
mean meant meant
sink sank sunk
spring sprang sprung
weave wove woven
kneel knelt knelt
leap leapt leapt`

// doublingVerbs are verbs of more than one syllable whose last letter is doubled before -ing and
// -ed.
const doublingVerbs = ` begin refer prefer forget control admit commit occur permit regret submit transfer upset unwrap unzip unplug `

// Inflector forms plurals, singulars and verb forms. It is immutable.
type Inflector struct {
	plurals, singulars   map[string]string
	pasts, participles   map[string]string
	bases                map[string]string
	pluralOnly, doubling map[string]bool
}

// NewInflector returns an inflector.
func NewInflector() *Inflector {
	f := &Inflector{
		plurals: map[string]string{}, singulars: map[string]string{},
		pasts: map[string]string{}, participles: map[string]string{}, bases: map[string]string{},
		pluralOnly: map[string]bool{}, doubling: map[string]bool{},
	}
	for line := range strings.Lines(irregularNouns) {
		w := strings.Fields(line)
		f.plurals[w[0]], f.singulars[w[1]] = w[1], w[0]
	}
	for line := range strings.Lines(irregularVerbs) {
		w := strings.Fields(line)
		f.pasts[w[0]], f.participles[w[0]] = w[1], w[2]
		f.bases[w[1]], f.bases[w[2]] = w[0], w[0]
	}
	for w := range strings.FieldsSeq(pluralOnly) {
		f.pluralOnly[w] = true
	}
	for w := range strings.FieldsSeq(doublingVerbs) {
		f.doubling[w] = true
	}
	return f
}

// IsPluralOnly reports whether the last word of a noun has no singular.
func (f *Inflector) IsPluralOnly(name string) bool {
	_, word := splitLast(name)
	return f.pluralOnly[word]
}

// Plural returns the plural of a singular noun phrase: the plural of its last word.
func (f *Inflector) Plural(name string) string {
	before, word := splitLast(name)
	if p, ok := f.plurals[word]; ok {
		return before + p
	}
	if f.pluralOnly[word] {
		return name
	}
	stem := len(word) - 3
	switch {
	case strings.HasSuffix(word, "man") && word != "human" && word != "german" && word != "roman":
		return before + word[:stem] + "men"
	case strings.HasSuffix(word, "child"), strings.HasSuffix(word, "fish"):
		if word[len(word)-1] == 'd' {
			return name + "ren"
		}
		return name
	case hasAnySuffix(word, "s", "x", "z", "ch", "sh"):
		return name + "es"
	case strings.HasSuffix(word, "y") && len(word) > 1 && !isVowel(word[len(word)-2]):
		return name[:len(name)-1] + "ies"
	}
	return name + "s"
}

// Singular returns the singular of a plural noun phrase, or name itself if it does not look plural.
func (f *Inflector) Singular(name string) string {
	before, word := splitLast(name)
	if s, ok := f.singulars[word]; ok {
		return before + s
	}
	n := len(word)
	switch {
	case f.pluralOnly[word]:
		return name
	case strings.HasSuffix(word, "men"):
		return before + word[:n-3] + "man"
	case n < 4:
		return name
	case strings.HasSuffix(word, "ies"):
		return before + word[:n-3] + "y"
	case hasAnySuffix(word, "ches", "shes", "xes", "sses", "zes"):
		return before + word[:n-2]
	case hasAnySuffix(word, "ss", "us", "is"):
		return name
	case strings.HasSuffix(word, "s"):
		return before + word[:n-1]
	}
	return name
}

// Gerund returns the -ing form of a verb ("sit on": "sitting on"). It inflects the first word.
func (f *Inflector) Gerund(verb string) string {
	word, after := splitFirst(verb)
	switch {
	case word == "be" || word == "see" || hasAnySuffix(word, "ee", "ye", "oe"):
		return word + "ing" + after
	case strings.HasSuffix(word, "ie"):
		return word[:len(word)-2] + "ying" + after
	case strings.HasSuffix(word, "e"):
		return word[:len(word)-1] + "ing" + after
	case strings.HasSuffix(word, "c"):
		return word + "king" + after
	}
	return f.doubleLast(word) + "ing" + after
}

// ThirdPerson returns the form after "he": "sits on".
func (f *Inflector) ThirdPerson(verb string) string {
	word, after := splitFirst(verb)
	switch {
	case word == "be":
		return "is" + after
	case word == "have":
		return "has" + after
	case hasAnySuffix(word, "s", "x", "z", "ch", "sh", "o"):
		return word + "es" + after
	case strings.HasSuffix(word, "y") && len(word) > 1 && !isVowel(word[len(word)-2]):
		return word[:len(word)-1] + "ies" + after
	}
	return word + "s" + after
}

// Past returns the simple past: "sat on".
func (f *Inflector) Past(verb string) string { return f.pastForm(verb, f.pasts) }

// Participle returns the past participle: "ridden by".
func (f *Inflector) Participle(verb string) string { return f.pastForm(verb, f.participles) }

// IsIrregular reports whether a verb has an irregular past form.
func (f *Inflector) IsIrregular(verb string) bool { return f.pasts[verb] != "" }

// IrregularBase returns the verb of an irregular past form: "ride" for "ridden".
func (f *Inflector) IrregularBase(form string) (string, bool) {
	b, ok := f.bases[form]
	return b, ok
}

func (f *Inflector) pastForm(verb string, irregular map[string]string) string {
	word, after := splitFirst(verb)
	if p, ok := irregular[word]; ok {
		return p + after
	}
	switch {
	case strings.HasSuffix(word, "e"):
		return word + "d" + after
	case strings.HasSuffix(word, "y") && len(word) > 1 && !isVowel(word[len(word)-2]):
		return word[:len(word)-1] + "ied" + after
	case strings.HasSuffix(word, "c"):
		return word + "ked" + after
	}
	return f.doubleLast(word) + "ed" + after
}

// doubleLast doubles the last letter of a word if a suffix requires it.
func (f *Inflector) doubleLast(word string) string {
	n := len(word)
	if n < 3 || !f.doubling[word] && countSyllables(word) != 1 {
		return word
	}
	last, vowel, before := word[n-1], word[n-2], word[n-3]
	if isVowel(last) || last == 'w' || last == 'x' || last == 'y' || !isVowel(vowel) ||
		isVowel(before) && !(before == 'u' && n > 3 && word[n-4] == 'q') {
		return word
	}
	return word + string(last)
}

// countSyllables counts the runs of vowels.
func countSyllables(word string) int {
	n := 0
	for i := range len(word) {
		if (isVowel(word[i]) || word[i] == 'y' && i > 0) && (i == 0 || !isVowel(word[i-1])) {
			n++
		}
	}
	return n
}

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

func hasAnySuffix(s string, suffixes ...string) bool {
	for _, x := range suffixes {
		if strings.HasSuffix(s, x) {
			return true
		}
	}
	return false
}

func splitLast(name string) (before, word string) {
	i := strings.LastIndexByte(name, ' ') + 1
	return name[:i], name[i:]
}

func splitFirst(verb string) (word, after string) {
	if i := strings.IndexByte(verb, ' '); i >= 0 {
		return verb[:i], verb[i:]
	}
	return verb, ""
}
