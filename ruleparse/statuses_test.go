package ruleparse

import (
	"strings"
	"testing"

	"capgraph/schemas"
)

// What a text names and does not assert has a status, after "!".
var statuses = []struct{ text, want string }{
	{"a man who is not wearing a hat", "man hat!denied | man –wearing→ hat!denied"},
	{"a woman who isn't holding a bag", "woman bag!denied | woman –holding→ bag!denied"},
	{"a dog that isn't on a leash", "dog leash!denied | dog –on→ leash!denied"},
	{"a kid never eats an apple", "kid apple!denied | kid –eats→ apple!denied"},
	{"a man without a shirt on a beach", "man shirt!denied beach | man –without→ shirt!denied, man –on→ beach"},
	{"a street without cars", "street cars!denied | street –without→ cars!denied"},
	{"a woman with no shoes", "woman |"},
	{"a room with no windows or doors", "room windows!denied doors!denied | room –with→ windows!denied, room –with→ doors!denied"},
	{"a table without plates, next to a chair", "table plates!denied chair | table –without→ plates!denied, plates –next to→ chair!denied"},
	{"neither of the men wears a hat", "men hat!denied | men –wears→ hat!denied"},
	{"neither dog is wearing a collar", "dog collar!denied | dog –is wearing→ collar!denied"},
	{"nobody is sitting on the bench", "nobody!denied bench | nobody –is sitting on→ bench!denied"},
	{"the man is not tall", "man[tall!denied] |"},
	{"the bus isn't red", "bus[red!denied] |"},
	{"the apples are not ripe", "apples[ripe!denied] |"},
	{"a dog beside a banana that isn't ripe", "dog banana[ripe!denied] | dog –beside→ banana"},
	{"a woman not looking at the camera", "woman camera | woman –looking at→ camera!denied"},
	{"a cup instead of a bottle", "cup bottle!denied | cup –instead of→ bottle!denied"},
	{"a man missing a tooth", "man tooth!denied | man –missing→ tooth!denied"},
	{"a wheel is missing from the car", "wheel!denied car |"},
	{"a man with a missing tooth", "man tooth!denied | man –with→ tooth!denied"},
	{"two slices of pizza are missing", "pizza!denied |"},
	{"a piece of the pizza is missing", "pizza |"},
	{"one of the wheels is missing", "wheels |"},
	{"all of the chairs are gone", "chairs!denied |"},
	{"a poster of a missing dog on a wall", "poster dog!depicted wall | poster –of→ dog, poster –on→ wall"},
	{"a house lacking a roof", "house roof!denied | house –lacking→ roof!denied"},
	{"a sink free of dishes", "sink dishes!denied | sink –free of→ dishes!denied"},
	{"a man standing in a room without using his phone", "man room phone | man –standing in→ room, man –using→ phone!denied, man –has→ phone"},
	{"there are no people on the beach", "beach |"},
	{"a cat that does not have a tail", "cat tail!denied | cat –does not have→ tail!denied"},
	{"a boy not riding a bike or a horse", "boy bike!denied horse!denied | boy –riding→ bike!denied, boy –riding→ horse!denied"},
	{"a man who has never seen a cow", "man cow!denied | man –seen→ cow!denied"},
	{"a sign that warns of bears", "sign bears!hypothetical | sign –warns of→ bears!hypothetical"},
	{"A river flows, possibly reflecting an overcast sky. The sky is gray.", "river[flows] sky[overcast,gray] | river –reflecting→ sky!hypothetical"},
	{"A moment of tranquility featuring a black and white cat. It is old.", "cat[black,white,old] |"},
	{"A river flows, possibly reflecting an overcast sky. The house is gray.", "river[flows] sky!hypothetical[overcast] house[gray] | river –reflecting→ sky!hypothetical"},
	{"a sign warning of a cliff", "sign cliff!hypothetical | sign –warning of→ cliff!hypothetical"},
	{"a sign prohibiting dogs", "sign dogs!hypothetical | sign –prohibiting→ dogs!hypothetical"},
	{"a sign forbidding bikes", "sign bikes!hypothetical | sign –forbidding→ bikes!hypothetical"},
	{"a sign banning skateboards", "sign skateboards!hypothetical | sign –banning→ skateboards!hypothetical"},
	{"a poster advertising a circus", "poster circus!hypothetical | poster –advertising→ circus!hypothetical"},
	{"a woman thinking about a vacation", "woman vacation!hypothetical | woman –thinking about→ vacation!hypothetical"},
	{"a man thinking of a sandwich", "man sandwich!hypothetical | man –thinking of→ sandwich!hypothetical"},
	{"a boy wishes for a pony", "boy pony!hypothetical | boy –wishes for→ pony!hypothetical"},
	{"a boy wishing for a kite", "boy kite!hypothetical | boy –wishing for→ kite!hypothetical"},
	{"a girl dreaming of a castle", "girl castle!hypothetical | girl –dreaming of→ castle!hypothetical"},
	{"a man dreams about a car", "man car!hypothetical | man –dreams about→ car!hypothetical"},
	{"a child wants a toy", "child toy!hypothetical | child –wants→ toy!hypothetical"},
	{"a dog wants a bone", "dog bone!hypothetical | dog –wants→ bone!hypothetical"},
	{"a cat hoping for a fish", "cat fish!hypothetical | cat –hoping for→ fish!hypothetical"},
	{"a man imagines a boat", "man boat!hypothetical | man –imagines→ boat!hypothetical"},
	{"a boy pretending to be a lion", "boy lion!hypothetical | boy –pretending to be→ lion!hypothetical"},
	{"a girl pretends to be a cat", "girl cat!hypothetical | girl –pretends to be→ cat!hypothetical"},
	{"a man expecting a letter", "man letter!hypothetical | man –expecting→ letter!hypothetical"},
	{"a boy about to hit a ball", "boy ball | boy –hit→ ball!hypothetical"},
	{"a man trying to catch a fish", "man fish | man –catch→ fish!hypothetical"},
	{"a man ready to swing a bat", "man[ready] bat | man –swing→ bat!hypothetical"},
	{"a dog attempting to catch a frisbee", "dog frisbee | dog –catch→ frisbee!hypothetical"},
	{"a girl preparing to ride a horse", "girl horse | girl –preparing to ride→ horse!hypothetical"},
	{"a boy going to throw a ball", "boy ball | boy –throw→ ball!hypothetical"},
	{"a painting of a ship hangs above the fireplace", "painting ship!depicted fireplace | painting –of→ ship, painting –hangs above→ fireplace"},
	{"a drawing of a cat", "drawing cat!depicted | drawing –of→ cat"},
	{"a cartoon of a dog", "cartoon dog!depicted | cartoon –of→ dog"},
	{"a statue of a horse in a park", "statue horse!depicted park | statue –of→ horse, statue –in→ park"},
	{"a sculpture of a bird on a hill", "sculpture bird!depicted hill | sculpture –of→ bird, sculpture –on→ hill"},
	{"a mural of a tiger on a wall", "mural tiger!depicted wall | mural –of→ tiger, mural –on→ wall"},
	{"a man holding a photo of a dog", "man photo dog!depicted | man –holding→ photo, photo –of→ dog"},
	{"a poster of a car on a wall", "poster car!depicted wall | poster –of→ car, poster –on→ wall"},
	{"a woman with a tattoo of a rose", "woman tattoo rose!depicted | woman –with→ tattoo, tattoo –of→ rose"},
	{"a figurine of an elephant on a shelf", "figurine elephant!depicted shelf | figurine –of→ elephant, figurine –on→ shelf"},
	{"a photo of a dog", "photo dog | photo –of→ dog"},
	{"a photo of a dog on a couch", "photo dog couch | photo –of→ dog, dog –on→ couch"},
	{"a no parking sign on a pole", "sign[no parking] pole | sign –on→ pole"},
	{"a man wearing a hat", "man hat | man –wearing→ hat"},
	{"not only a cat but also a dog", "cat dog |"},
	{"a missing dog poster", "dog poster[missing] |"},
	{"a free bus", "bus |"},
	{"a man looking at the camera", "man camera | man –looking at→ camera"},
	{"a room with windows", "room windows | room –with→ windows"},
	{"a picture of a man and a horse", "picture man horse | picture –of→ man, picture –of→ horse"},
}

func TestStatusOfWhatIsNotAsserted(t *testing.T) {
	p := newParser(t)
	var out schemas.Parsed
	for _, c := range statuses {
		p.ParseText(c.text, &out)
		if got := withStatuses(&out.Graph); got != c.want {
			t.Errorf("%q:\n got  %s\n want %s", c.text, got, c.want)
		}
	}
}

// withStatuses writes a graph in one line, with the statuses of its parts.
func withStatuses(g *schemas.SceneGraph) string {
	status := func(s string) string {
		if s == "" {
			return ""
		}
		return "!" + s
	}
	var objects, relations []string
	for _, o := range g.Objects {
		s := o.Name + status(o.Status)
		var attributes []string
		for _, a := range o.Attributes {
			attributes = append(attributes, a.Text+status(a.Status))
		}
		if attributes != nil {
			s += "[" + strings.Join(attributes, ",") + "]"
		}
		objects = append(objects, s)
	}
	for _, r := range g.Relations {
		relations = append(relations, g.Objects[r.Subject].Name+" –"+r.Predicate+"→ "+g.Objects[r.Object].Name+status(r.Status))
	}
	return strings.TrimSpace(strings.Join(objects, " ") + " | " + strings.Join(relations, ", "))
}
