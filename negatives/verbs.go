package negatives

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/lexicon"
)

// alike are verbs of which one may be said where another is true, with an
// example of a pair that is therefore no negative.
var alike = []struct {
	verbs         []string
	example, also string
}{
	{[]string{"hold", "carry", "grip", "clutch", "grasp", "lift", "use", "operate", "have", "bear", "handle", "hoist", "raise", "display", "show", "pick", "grab", "top"}, "a man holding a bag", "a man carrying a bag"},
	{[]string{"wear", "don", "dress", "have", "sport", "model", "display"}, "a man wearing a tie", "a man sporting a tie"},
	{[]string{"sit", "rest", "perch", "seat", "relax", "lounge", "sleep", "lie", "lay", "wait", "settle", "nestle", "snuggle", "cuddle"}, "a cat sitting on a bed", "a cat resting on a bed"},
	{[]string{"park", "stop", "sit", "stand", "rest", "wait", "leave", "line", "dock", "brake"}, "a bus parked on a street", "a bus sitting on a street"},
	{[]string{"stand", "rest", "wait", "pose", "gather", "stay", "stop", "walk", "cross", "lean"}, "a man standing near a bus", "a man waiting near a bus"},
	{[]string{"walk", "stroll", "hike", "march", "step", "wander", "move", "travel", "head", "go", "cross", "approach", "trek", "roam", "stalk", "explore"}, "a dog walking on a beach", "a dog moving on a beach"},
	{[]string{"ride", "travel", "drive", "move", "go", "cross", "steer", "pedal", "use", "race", "pass", "head", "pull", "straddle", "mount"}, "a man riding a bike", "a man pedaling a bike"},
	{[]string{"eat", "bite", "chew", "munch", "enjoy", "feed", "graze", "taste", "consume", "dine", "nibble", "share", "try"}, "a cow eating grass", "a cow grazing on grass"},
	{[]string{"fly", "soar", "glide", "hover", "travel", "move", "pass", "go", "float", "sail", "ascend", "rise", "speed"}, "a bird flying over water", "a bird soaring over water"},
	{[]string{"surf", "ride", "catch", "skim", "tackle", "wakeboard", "paddle", "cut", "handle", "jump"}, "a man surfing a wave", "a man riding a wave"},
	{[]string{"ski", "slide", "snowboard", "race", "go", "head", "cross", "descend", "ride", "come"}, "a man skiing down a hill", "a man racing down a hill"},
	{[]string{"talk", "chat", "speak", "converse", "call"}, "a man talking to a woman", "a man speaking to a woman"},
	{[]string{"pull", "drag", "tow", "tug", "haul", "carry"}, "a horse pulling a cart", "a horse dragging a cart"},
	{[]string{"cut", "slice", "chop", "carve"}, "a man cutting a cake", "a man slicing a cake"},
	{[]string{"swing", "hit", "bat", "play", "strike", "swat", "serve", "hold", "return"}, "a man swinging a bat", "a man holding a bat"},
	{[]string{"throw", "pitch", "toss", "play", "hurl", "hold"}, "a man throwing a ball", "a man pitching a ball"},
	{[]string{"catch", "play", "chase", "grab", "reach"}, "a dog catching a ball", "a dog playing with a ball"},
	{[]string{"cover", "top", "coat", "fill", "load", "pack", "stack", "layer", "pile", "surround", "mark"}, "a plate covered with food", "a plate filled with food"},
	{[]string{"look", "watch", "stare", "gaze", "view", "see", "observe", "face", "peer", "glance", "point"}, "a cat looking at a bird", "a cat watching a bird"},
	{[]string{"hang", "attach", "mount", "suspend", "dangle", "fix", "tie", "display", "post", "locate", "install", "clip"}, "a lamp hanging on a wall", "a lamp mounted on a wall"},
	{[]string{"run", "race", "chase", "jog", "gallop", "move", "rush", "sprint", "play", "hurry"}, "a dog running on a beach", "a dog playing on a beach"},
	{[]string{"jump", "leap", "fly", "hop", "bounce", "trick", "flip", "do", "perform", "careen"}, "a man jumping over a ramp", "a man leaping over a ramp"},
	{[]string{"prepare", "make", "cook", "mix", "stir", "bake", "put"}, "a man preparing food", "a man cooking food"},
	{[]string{"pet", "touch", "stroke", "hug", "cuddle", "snuggle"}, "a girl petting a dog", "a girl touching a dog"},
	{[]string{"lie", "lay", "sleep", "rest", "relax", "nap", "lounge", "curl", "snuggle", "sprawl"}, "a cat lying on a bed", "a cat sleeping on a bed"},
	{[]string{"contain", "include", "feature", "have", "hold", "display", "show", "give", "fill"}, "a bowl containing fruit", "a bowl filled with fruit"},
	{[]string{"swim", "float", "wade", "bathe", "splash", "drift", "play", "frolic", "fight"}, "a duck swimming in a pond", "a duck floating in a pond"},
	{[]string{"drink", "sip", "enjoy", "taste"}, "a man drinking wine", "a man sipping wine"},
	{[]string{"brush", "clean", "wash", "scrub", "groom", "comb"}, "a boy brushing his teeth", "a boy cleaning his teeth"},
	{[]string{"type", "work", "use", "write"}, "a man typing on a laptop", "a man working on a laptop"},
	{[]string{"skateboard", "skate", "ride", "grind", "roll"}, "a boy skateboarding down a ramp", "a boy skating down a ramp"},
	{[]string{"play", "practise", "practice", "compete", "enjoy"}, "a man playing tennis", "a man enjoying tennis"},
	{[]string{"lead", "guide", "walk", "herd", "direct", "chase"}, "a man leading a horse", "a man walking a horse"},
	{[]string{"decorate", "adorn", "paint", "cover", "top"}, "a cake decorated with flowers", "a cake covered with flowers"},
	{[]string{"grow", "stand", "bloom"}, "a tree growing in a field", "a tree standing in a field"},
	{[]string{"prop", "lean", "rest", "place", "set", "sit", "stand", "put"}, "a bike leaning on a wall", "a bike propped on a wall"},
	{[]string{"furnish", "fill", "equip", "clutter", "decorate", "display", "litter", "line", "set"}, "a room furnished with things", "a room filled with things"},
	{[]string{"wrap", "drape", "dress", "adorn", "cover", "clothe", "bundle", "tuck"}, "a woman wrapped in a shawl", "a woman draped in a shawl"},
	{[]string{"stick", "reach", "poke", "peek", "peer", "extend", "protrude"}, "a head sticking out of a window", "a head poking out of a window"},
	{[]string{"run", "travel", "move", "go", "ride", "drive", "glide", "head", "pass", "roll"}, "a train running on a track", "a train traveling on a track"},
	{[]string{"stack", "stow", "pile", "pack", "store", "arrange", "place", "locate", "prop", "display", "group", "set", "cluster", "center"}, "a suitcase stacked on a cart", "a suitcase stowed on a cart"},
	{[]string{"display", "serve", "set", "arrange", "lay"}, "a pie displayed on a counter", "a pie served on a counter"},
	{[]string{"paint", "draw", "print", "design"}, "a bus painted with flowers", "a bus printed with flowers"},
	{[]string{"top", "garnish", "serve", "fill", "display", "cover", "load", "adorn", "flood", "clutter", "cook"}, "a plate topped with herbs", "a plate garnished with herbs"},
	{[]string{"bunch", "put", "arrange"}, "bananas bunched in a bowl", "bananas arranged in a bowl"},
	{[]string{"park", "prop", "lean"}, "a bike parked by a wall", "a bike propped by a wall"},
	{[]string{"tag", "paint", "cover", "fill"}, "a wall tagged with graffiti", "a wall covered with graffiti"},
	{[]string{"kick", "hit", "strike"}, "a boy kicking a ball", "a boy hitting a ball"},
	{[]string{"attend", "arrive", "speak"}, "a man attending a show", "a man arriving at a show"},
	{[]string{"blow", "belch", "emit", "puff", "spew", "release"}, "a train blowing smoke", "a train belching smoke"},
}

// alongside are verbs each of which may be true together with each of others,
// though not these with one another: who sits may eat, and who sits does not
// stand.
var alongside = []struct {
	verbs, others []string
	example, also string
}{
	{postures, []string{"hold", "carry", "eat", "chew", "bite", "graze", "drink", "cook", "wear", "talk", "chat", "listen", "speak", "read", "protest", "relax", "type", "operate", "check", "palm", "cut", "sing", "mingle", "enjoy", "ride", "surf", "drive", "huddle", "nap", "adorn", "balance", "socialize", "race", "meditate", "embrace", "congregate", "warm", "sniff", "smell", "swing", "browse", "attend", "point", "lick", "bend", "suffer", "ski", "snowboard", "sail", "scream", "shout", "smoke", "pack", "open", "paw"}, "a man standing on a street", "a man talking on a street"},
	{[]string{"eat", "bite", "drink", "cut", "check", "text", "examine", "open", "swing", "brush", "pet", "wrap", "read", "catch", "throw", "receive", "serve", "pour", "cook", "twirl", "toss", "spin", "sip", "peel", "snack", "feed", "lick", "put", "fix", "load", "smoke", "pack", "talk"}, []string{"hold", "carry", "grip", "palm", "grab", "grasp"}, "a child eating a banana", "a child holding a banana"},
	{[]string{"sit", "stand", "rest", "park", "place", "locate", "arrange", "lie", "lay", "pile", "dock", "float"}, []string{"display", "arrange", "place", "locate", "position", "perch", "paint", "anchor", "moor", "list", "mount", "cover", "stow", "dry", "embed", "suspend", "hang", "attach"}, "a vase sitting on a table", "a vase displayed on a table"},
	{[]string{"hide", "hang", "lean"}, []string{"stand", "sit", "squat", "crouch", "kneel", "lie", "lay"}, "a cat hiding under a table", "a cat crouching under a table"},
	{[]string{"stand", "walk", "wade"}, []string{"drink", "graze", "eat", "feed", "wade", "bathe"}, "a cow standing in a field", "a cow grazing in a field"},
	{[]string{"catch", "hit", "return", "swing"}, []string{"jump", "run", "leap", "reach", "receive", "chase", "dive"}, "a dog catching a ball", "a dog chasing a ball"},
	{[]string{"relax", "rest", "lounge"}, []string{"talk", "chat", "read", "eat", "drink", "listen"}, "a man relaxing on a couch", "a man talking on a couch"},
	{[]string{"fly", "skateboard", "skate", "grind", "ski", "snowboard", "ride"}, []string{"swoop", "trick", "jump", "flip", "perform"}, "a bird flying over water", "a bird swooping over water"},
	{[]string{"walk", "stroll"}, []string{"talk", "chat", "converse", "speak"}, "a man walking with a woman", "a man talking with a woman"},
	{[]string{"wear"}, []string{"ride", "fix", "adjust", "straighten", "tie"}, "a man wearing a tie", "a man fixing a tie"},
	{[]string{"jump"}, []string{"reach", "scream", "shout"}, "a boy jumping for a ball", "a boy reaching for a ball"},
	{[]string{"eat"}, []string{"talk"}, "a man eating at a table", "a man talking at a table"},
	{[]string{"fly"}, []string{"hold", "hang"}, "a boy flying a kite", "a boy holding a kite"},
	{[]string{"top", "brown"}, []string{"serve", "place"}, "a pizza topped with cheese", "a pizza served with cheese"},
	{[]string{"mingle", "attend"}, []string{"walk", "stand", "talk"}, "a man mingling with people", "a man standing with people"},
	{[]string{"park"}, []string{"hitch", "drive"}, "a truck parked on a street", "a truck driven on a street"},
	{[]string{"scatter", "spread"}, []string{"fly", "graze", "grow", "hang", "lie", "sit", "stand"}, "a kite scattered across a sky", "a kite flying across a sky"},
}

// postures are verbs of how a body is held.
var postures = []string{"sit", "stand", "lie", "lay", "kneel", "lean", "crouch", "squat", "perch"}

// anytime are verbs that hold along with most others, so that they neither
// replace nor are replaced: who looks at a dog may also feed it.
const anytime = ` look watch see view stare gaze observe have use get go do make be enjoy try face show contain feature include
surround consist appear seem want like love prepare learn wait pose smile laugh take let keep stay stop start begin continue attempt
need help work picture interact win lose live belong tell know mean call name label read see say describe depict involve associate accompany follow join
compare relate base come play decorate dress crowd gather lead add turn move touch perform practice finish `

// alikeStill holds for what a vehicle that a picture shows may as well do.
func alikeStill(subject *noun, a, b string) bool {
	return subject.kind == vehicles && contains(inTraffic, a) && contains(inTraffic, b)
}

// verb is what is known of a verb, by its base form.
type verb struct {
	base    string
	hash    int64 // of base
	anytime bool
	alike   uint64 // bit i is set where row i of alike has it
	// with and others have bit i set where row i of alongside has it.
	with, others uint64
	senses       []lexicon.Synset
	kinds        []lexicon.Synset // what its first sense is a kind of
}

// verb gives what is known of a verb; base may be empty.
func (w *words) verb(base string) *verb {
	if v, ok := w.verbs[base]; ok {
		return v
	}
	base = strings.Clone(base)
	v := &verb{base: base, hash: int64(xxhash.Sum64String(base)), anytime: contains(anytime, base), senses: w.lexicon.Verb(base)}
	for i := range alike {
		if slices.Contains(alike[i].verbs, base) {
			v.alike |= 1 << i
		}
	}
	for i := range alongside {
		if slices.Contains(alongside[i].verbs, base) {
			v.with |= 1 << i
		}
		if slices.Contains(alongside[i].others, base) {
			v.others |= 1 << i
		}
	}
	if len(v.senses) > 0 {
		v.kinds = w.lexicon.Ancestors(v.senses[0], nil)
	}
	w.kept += wordSize
	w.verbs[base] = v
	return v
}

// known holds for a verb of which a lexicon or one of the tables here says
// something, and not for "haning".
func (v *verb) known() bool { return len(v.senses) > 0 || v.alike|v.with|v.others != 0 }

// isKindOf holds where the first sense of a verb is a kind of that of another.
func (v *verb) isKindOf(other *verb) bool {
	return len(other.senses) > 0 && slices.Contains(v.kinds, other.senses[0])
}

// verbsExclude holds where two verbs cannot well be true of the same subject and
// object at once.
func (w *words) verbsExclude(a, b *verb) bool {
	if a.base == b.base || a.anytime || b.anytime || a.alike&b.alike != 0 || a.with&b.others != 0 || a.others&b.with != 0 {
		return false
	}
	for _, s := range a.senses {
		if slices.Contains(b.senses, s) {
			return false
		}
	}
	return a.known() && b.known() && !b.isKindOf(a) && !a.isKindOf(b)
}

// relationsExclude holds where two relations cannot well hold at once between
// the same two things:
//
//   - two verbs that exclude each other ("riding a horse", "feeding a horse");
//   - places that exclude each other ("on a table", "under a table"), with the
//     same verb, another one or none.
//
// A verb may go along with every place that is not excluded, and what says
// neither ("of", "with") excludes nothing.
func (w *words) relationsExclude(a, b *relation) bool {
	switch {
	case exclude(a.place, b.place):
		return true
	case a.verb == "" || b.verb == "":
		return false
	}
	return w.verbsExclude(a.does, b.does)
}

// symmetric holds for relations that are true in both directions, with an
// example each.
func symmetric(r *relation) bool {
	if r.place == beside || r.place == nearby {
		return true
	}
	for i := range symmetrics {
		if s := &symmetrics[i]; (s.verb == "" || s.verb == r.verb) && (s.prep == "*" || s.prep == r.prep) {
			return true
		}
	}
	return false
}

var symmetrics = []struct{ verb, prep, example string }{
	{"", "and", "a man and a dog"},
	{"", "with", "a tub with legs"},
	{"", "across from", "a man across from a woman"},
	{"", "opposite", "a chair opposite a couch"},
	{"", "far from", "a man far from a house"},
	{"", "along with", "a fork along with a knife"},
	{"", "as", "a room as a kitchen"},
	{"", "against", "a chair against a wall"},
	{"", "along", "a path along a fence"},
	{"", "along the side of", "a path along the side of a fence"},
	{"hug", "*", "a man hugging a woman"},
	{"kiss", "*", "a man kissing a woman"},
	{"meet", "*", "a man meeting a woman"},
	{"face", "*", "a man facing a woman"},
	{"touch", "*", "a cat touching a dog"},
	{"talk", "*", "a man talking to a woman"},
	{"chat", "*", "a man chatting with a woman"},
	{"speak", "*", "a man speaking with a woman"},
	{"marry", "*", "a man married to a woman"},
	{"dance", "*", "a man dancing with a woman"},
	{"play", "with", "a boy playing with a dog"},
	{"pose", "with", "a man posing with a woman"},
	{"stand", "with", "a man standing with a woman"},
	{"sit", "with", "a man sitting with a woman"},
	{"walk", "with", "a man walking with a dog"},
	{"lie", "with", "a cat lying with a dog"},
	{"compete", "*", "a man competing with a woman"},
	{"fight", "*", "a cat fighting with a dog"},
	{"wrestle", "*", "a man wrestling with a boy"},
	{"connect", "*", "a cable connected to a box"},
	{"attach", "*", "a cable attached to a box"},
	{"join", "*", "a man joined by a woman"},
	{"shake", "hands with", "a man shaking hands with a woman"},
}
