package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon"
)

// kind is a sort of thing that much the same is said of.
type kind uint8

// The kinds, by their rows; 0 is that of other things.
const (
	people kind = iota + 1
	animals
	body
	food
	clothing
	vehicles
	furniture
	structures
	land
	plants
	drinks
	interiors
	openings
	ways
	water
	weather
	media
)

// kindCount is how many kinds there are, 0 among them.
const kindCount = int(media) + 1

// noKind is that of nothing.
const noKind kind = 0xff

// selfMoving holds for kinds all of which do much the same.
func selfMoving(k kind) bool { return k == people || k == animals || k == vehicles }

// within holds where things of a kind are parts of things of another.
func (k kind) within(of kind) bool {
	return k == interiors && of == structures || k == openings && (of == structures || of == interiors)
}

// surrounds holds for kinds of what somebody or something is rather in, on or at than next to.
func (k kind) surrounds() bool {
	switch k {
	case body, clothing, land, interiors, ways, weather, media:
		return true
	}
	return false
}

// natural holds for kinds that have their colours from nature.
func natural(k kind) bool {
	switch k {
	case people, animals, body, food, drinks, land, plants, ways, water:
		return true
	}
	return false
}

// kinds are the sorts of thing: heads that are of one, and nouns of which a kind
// is of one (WordNet). A head in words is of that row, another is of the row of
// its first sense that has one.
var kinds = []struct {
	nouns, words []string
	example      string
}{
	{[]string{"person"}, nil, "skier"},
	{[]string{"animal"}, []string{"bunny", "cub", "hog", "ladybug", "tiger", "turtle", "whale"}, "zebra"},
	{nil, bodyParts, "hand"},
	{[]string{"food", "solid food", "produce"},
		[]string{"banana", "orange", "carrot", "broccoli", "food", "cake", "fruit", "dessert", "meal", "breakfast", "lunch", "dinner", "snack", "topping", "rice",
			"beef", "brownie", "celery", "cherry", "chocolate", "cilantro", "corn", "cucumber", "garlic", "herb", "hotdog", "kiwi", "lettuce", "macaroni", "mango", "mint", "mustard", "olive", "onion",
			"parsley", "peach", "peanut", "pepper", "pineapple", "plum", "pumpkin", "quiche", "raspberry", "shrimp", "spinach", "tart", "tuna", "turnip", "walnut", "watermelon", "zucchini"}, "sandwich"},
	{[]string{"clothing", "headgear", "footwear", "jewelry"}, []string{"glasses", "sunglasses", "glove", "helmet", "hat", "clothes"}, "jacket"},
	{[]string{"vehicle", "public transport"}, nil, "bus"},
	{[]string{"furniture"}, []string{"table", "desk", "shelf", "counter", "toilet", "sink", "tub", "bathtub"}, "couch"},
	{[]string{"structure", "building", "facility"}, []string{"church", "court", "dock", "restaurant", "ramp"}, "castle"},
	{[]string{"geological formation", "geographic area"},
		[]string{"snow", "grass", "sand", "ground", "dirt", "city", "forest", "field", "beach", "shore", "park", "yard", "lawn", "garden"}, "hill"},
	{[]string{"vascular plant"}, []string{"plant"}, "tree"},
	{[]string{"beverage"}, []string{"coffee", "tea", "wine", "beer", "juice", "milk", "soda"}, "lemonade"},
	{[]string{"room"}, nil, "kitchen"},
	{nil, []string{"window", "door", "doorway", "gate", "wall", "fence", "floor", "ceiling", "roof", "railing", "stair", "staircase", "step", "balcony", "porch", "fireplace", "chimney"}, "window"},
	{[]string{"road", "path"}, []string{"street", "runway", "alley", "sidewalk", "driveway", "track"}, "highway"},
	{[]string{"stream", "lake", "sea", "ocean", "waterfall"}, []string{"water", "wave", "bay", "pool", "harbor", "harbour", "canal", "surf"}, "river"},
	{nil, []string{"fog", "mist", "haze", "rain", "rainstorm", "snowstorm", "snowfall", "blizzard", "storm", "thunderstorm", "wind", "breeze", "weather", "sunlight", "sunshine", "sunset", "sunrise", "dawn", "dusk",
		"twilight", "daylight", "moonlight", "shade", "shadow", "darkness"}, "fog"},
	{nil, []string{"video", "movie", "film", "poster", "advert", "advertisement", "cartoon", "comic", "magazine", "novel", "episode", "screenshot"}, "poster"},
}

// How large things of a kind are; of no kind they are small.
const (
	small = iota
	large
	vast
)

func (n *noun) alive() bool { return n.kind == people || n.kind == animals }

func (n *noun) size() int { return n.kind.size() }

func (k kind) size() int {
	switch k {
	case land, structures, interiors, ways, water:
		return vast
	case vehicles, furniture, plants, openings:
		return large
	}
	return small
}

// things are heads of no kind that WordNet takes for people, animals, clothes or
// other kinds in one of its first senses.
var things = strings.Fields(`air bar base bat bleacher boot box brake broom calculator chat checker chess coaster cog comforter controller cooler coral cross cutter
diet dig divider draw drill drip dummy engine feeder file flag flip frame hammock hanger hay hobby hood horseback hose ice junk kettle kiss kit lid lot macintosh mast
medium menu mess mini mixer monitor mouse napkin outlet ottoman pacifier patch peeler picnic place planter plug port preserver printer punch rack range rise
roaster saddle sail saver server shaker short skate sky slider snowflake speaker stepper storage story stroller stunt switch tackle tee teddy toaster topper torch
trailer washer white windowpane wrapper`)

// bodyParts are parts of people and animals.
var bodyParts = []string{
	"hand", "arm", "leg", "foot", "head", "face", "eye", "ear", "mouth", "nose", "tail", "hair", "neck", "beak", "wing",
	"finger", "lap", "shoulder", "tongue", "tooth", "trunk", "tusk", "knee", "chest", "back", "horn", "fur", "feather", "beard", "paw", "mane", "lip",
}

// kindsOf tells the kinds of nouns.
type kindsOf struct {
	lexicon    *lexicon.Lexicon
	person     lexicon.Synset
	implements []lexicon.Synset // which are counted
	ofHead     map[string]kind
	ofSynset   map[lexicon.Synset]kind
}

// newKinds reads the table.
func newKinds(lex *lexicon.Lexicon) kindsOf {
	k := kindsOf{lex, lex.Noun("person")[0], nil, map[string]kind{}, map[lexicon.Synset]kind{}}
	for _, noun := range []string{"device", "container", "implement", "platform"} {
		k.implements = append(k.implements, lex.Noun(noun)[0])
	}
	for _, word := range things {
		k.ofHead[word] = 0
	}
	for i := range kinds {
		row := &kinds[i]
		for _, word := range row.words {
			k.ofHead[word] = kind(i + 1)
		}
		for _, noun := range row.nouns {
			if senses := lex.Noun(noun); len(senses) > 0 {
				k.ofSynset[senses[0]] = kind(i + 1)
			}
		}
	}
	return k
}

// of is the kind of a head with its senses, 0 where it is of none of the table.
func (k *kindsOf) of(head string, senses []lexicon.Synset) kind {
	if k, ok := k.ofHead[head]; ok {
		return k
	}
	if is, _, _ := ofPeople(head); is {
		return people
	}
	for i, sense := range senses {
		above := k.lexicon.Ancestors(sense, []lexicon.Synset{sense})
		if i == 0 && slices.Contains(above, k.person) {
			return people
		}
		for _, s := range above {
			if k, ok := k.ofSynset[s]; ok {
				return k
			}
		}
	}
	return 0
}
