package truth

// Tables of verbs in exclusions.tsv.
var (
	acts = [...]Table{Anything: Exclusions["done"], Person: Exclusions["people"], Animal: Exclusions["animals"], Vehicle: Exclusions["vehicles"]}
	more = Exclusions["more"]
	off  = Exclusions["beside"]
)

// Actor is a group of subjects of verbs. Some tables are for one group only.
type Actor uint8

const (
	Anything Actor = iota
	Person
	Animal
	Vehicle
)

// Actor returns the group of subjects to which a kind belongs.
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

// rowSets has bits for the rows of a table: bit i of With is set if row i has a verb among its words,
// and of Others if it has it among the others.
type rowSets struct{ With, Others uint64 }

// rowsNaming returns the rows that have a verb.
func (t Table) rowsNaming(verb string) rowSets {
	return rowSets{t.RowsWith(verb), t.RowsWithOther(verb)}
}

// Opposes has the rows that have a verb, for each table of verbs that exclude each other.
type Opposes struct {
	Acts [len(acts)]rowSets
	More rowSets
	Off  uint64
}

// NewOpposes returns the rows that have a verb.
func NewOpposes(verb string) (o Opposes) {
	for i := range acts {
		o.Acts[i] = acts[i].rowsNaming(verb)
	}
	o.More, o.Off = more.rowsNaming(verb), off.RowsWithOther(verb)
	return o
}
