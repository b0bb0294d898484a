package negatives

import "capgraph/internal/lexicon"

// kind is a sort of thing that much the same is said of.
type kind uint8

// The kinds of the first rows.
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
)

// noKind is that of nothing.
const noKind kind = 0xff

// selfMoving holds for kinds all of which do much the same.
func selfMoving(k kind) bool { return k == people || k == animals || k == vehicles }

// natural holds for kinds that have their colours from nature.
func natural(k kind) bool {
	switch k {
	case people, animals, body, food, drinks, land, plants:
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
	{[]string{"animal"}, nil, "zebra"},
	{nil, bodyParts, "hand"},
	{[]string{"food", "solid food", "produce"},
		[]string{"banana", "orange", "carrot", "broccoli", "food", "cake", "fruit", "dessert", "meal", "breakfast", "lunch", "dinner", "snack", "topping", "rice"}, "sandwich"},
	{[]string{"clothing", "headgear", "footwear", "jewelry"}, []string{"glasses", "sunglasses", "glove", "helmet", "hat", "clothes"}, "jacket"},
	{[]string{"vehicle", "public transport"}, nil, "bus"},
	{[]string{"furniture"}, []string{"table", "desk", "shelf", "counter", "toilet", "sink", "tub", "bathtub"}, "couch"},
	{[]string{"structure", "room", "building", "facility"}, []string{"church", "court", "restaurant", "ramp"}, "kitchen"},
	{[]string{"geological formation", "geographic area", "road", "path", "body of water"},
		[]string{"sky", "snow", "grass", "sand", "ground", "water", "dirt", "air", "city", "street", "lake", "river", "stream", "wave", "forest", "runway"}, "beach"},
	{[]string{"vascular plant"}, nil, "tree"},
	{[]string{"beverage"}, []string{"coffee", "tea", "wine", "beer", "juice", "milk", "soda"}, "lemonade"},
}

// How large things of a kind are; of no kind they are small.
const (
	small = iota
	large
	vast
)

func (n *noun) alive() bool { return n.kind == people || n.kind == animals }

func (n *noun) size() int {
	switch n.kind {
	case land, structures:
		return vast
	case vehicles, furniture, plants:
		return large
	}
	return small
}

// things are heads of no kind that WordNet first takes for people, animals or plants.
var things = []string{"monitor", "mouse", "bat", "flag", "stroller", "speaker"}

// meals are heads that may be said of any food.
const meals = " meal breakfast lunch dinner snack dish treat "

// bodyParts are parts of people and animals.
var bodyParts = []string{
	"hand", "arm", "leg", "foot", "head", "face", "eye", "ear", "mouth", "nose", "tail", "hair", "neck", "beak", "wing",
	"finger", "lap", "shoulder", "tongue", "tooth", "trunk", "tusk", "knee", "chest", "back", "horn", "fur", "feather", "beard", "paw", "mane", "lip",
}

// single are parts of which a body has one: who covers his eyes covers no heads.
const single = " head face mouth nose tail neck beak lap tongue trunk chest back mane beard "

// newKinds reads the table: the kinds of heads and of synsets.
func newKinds(lex *lexicon.Lexicon) (ofHead map[string]kind, ofSynset map[lexicon.Synset]kind) {
	ofHead, ofSynset = map[string]kind{}, map[lexicon.Synset]kind{}
	for _, word := range things {
		ofHead[word] = 0
	}
	for i := range kinds {
		row := &kinds[i]
		for _, word := range row.words {
			ofHead[word] = kind(i + 1)
		}
		for _, noun := range row.nouns {
			if senses := lex.Noun(noun); len(senses) > 0 {
				ofSynset[senses[0]] = kind(i + 1)
			}
		}
	}
	return ofHead, ofSynset
}

// kindOf is the kind of a noun, 0 where it is of none of the table.
func (w *words) kindOf(n *noun) kind {
	if k, ok := w.kindOfHead[n.head]; ok {
		return k
	}
	if n.human {
		return people
	}
	for _, sense := range n.senses {
		for _, s := range w.lexicon.Ancestors(sense, []lexicon.Synset{sense}) {
			if k, ok := w.kindOfSynset[s]; ok {
				return k
			}
		}
	}
	return 0
}
