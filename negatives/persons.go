package negatives

// persons are words for people with what they say of sex and age. What is said
// of a person in other words ("player", "skier") says neither, so that nothing
// of it is false of who is called so.
var persons = []struct {
	words         string
	sex, age      byte // m or f, c for a child and a for an adult; 0 where it is not said
	example, also string
}{
	{" man guy gentleman father dad husband groom businessman policeman fireman fisherman cowboy grandfather dude ", 'm', 'a', "man", "player"},
	{" woman lady mother mom wife bride businesswoman policewoman grandmother gal ", 'f', 'a', "woman", "skier"},
	{" boy schoolboy ", 'm', 'c', "boy", "child"},
	{" girl schoolgirl ", 'f', 'c', "girl", "kid"},
	{" child kid toddler baby infant youngster ", 0, 'c', "toddler", "girl"},
	{" male son brother nephew ", 'm', 0, "son", "man"},
	{" female daughter sister niece ", 'f', 0, "daughter", "woman"},
	{" adult parent ", 0, 'a', "adult", "woman"},
	{" people person human couple crowd family team audience gathering public spectator pedestrian ", 0, 0, "people", "woman"},
}

// ofPeople says whether a head is in persons, and what it says of sex and age.
func ofPeople(head string) (is bool, sex, age byte) {
	for i := range persons {
		if p := &persons[i]; contains(p.words, head) {
			return true, p.sex, p.age
		}
	}
	return false, 0, 0
}

// samePerson holds where two nouns may be said of the same people.
func samePerson(a, b *noun) bool {
	return a.kind == people && b.kind == people && (a.sex == 0 || b.sex == 0 || a.sex == b.sex) && (a.age == 0 || b.age == 0 || a.age == b.age)
}
