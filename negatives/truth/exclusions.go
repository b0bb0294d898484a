package truth

// Tables of exclusions.tsv, of verbs.
var (
	acts = [...]Table{Anything: Exclusions["done"], Person: Exclusions["people"], Animal: Exclusions["animals"], Vehicle: Exclusions["vehicles"]}
	more = Exclusions["more"]
	off  = Exclusions["beside"]
)

// Actor is a group of doers whose verbs the tables distinguish from others'.
type Actor uint8

const (
	Anything Actor = iota
	Person
	Animal
	Vehicle
)

// Actor returns the actor of a kind.
func (k Kind) Actor() Actor {
	switch k {
	case People:
		return Person
	case Animals:
		return Animal
	case Vehicles:
		return Vehicle
	}
	return Anything
}

// sides has bit i set where row i of a table has a verb, and if it has it among the others.
type sides struct{ With, Others uint64 }

func (t Table) sides(verb string) sides { return sides{t.With(verb), t.WithOther(verb)} }

// Opposes has the rows of a verb in the tables of verbs that exclude each other.
type Opposes struct {
	Acts [len(acts)]sides
	More sides
	Off  uint64
}

// NewOpposes returns the rows of a verb.
func NewOpposes(verb string) (o Opposes) {
	for i := range acts {
		o.Acts[i] = acts[i].sides(verb)
	}
	o.More, o.Off = more.sides(verb), off.WithOther(verb)
	return o
}
