package truth

// Tables of exclusions.tsv, of verbs.
var (
	acts = [...]Table{Anything: Exclusions["done"], Person: Exclusions["people"], Animal: Exclusions["animals"], Vehicle: Exclusions["vehicles"]}
	more = Exclusions["more"]
	off  = Exclusions["beside"]
)

// Actor is who does something, as far as tables tell the verbs of one from those of others.
type Actor uint8

const (
	Anything Actor = iota
	Person
	Animal
	Vehicle
)

// Actor is that of a kind.
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

// Opposes is where a verb stands in the tables of what verbs exclude.
type Opposes struct {
	Acts [len(acts)]sides
	More sides
	Off  uint64
}

// NewOpposes finds where a verb stands.
func NewOpposes(verb string) (o Opposes) {
	for i := range acts {
		o.Acts[i] = acts[i].sides(verb)
	}
	o.More, o.Off = more.sides(verb), off.WithOther(verb)
	return o
}
