package truth

// Tables of truth.tsv, which says what each is.
var (
	Unsaid       = Truths["unsaid"]
	surroundings = Truths["around"]
	rooms        = Truths["rooms"]
)

// Setting has the rows of the tables of scenes that name a noun: bit i is row i.
type Setting struct {
	around       uint64 // rows of surroundings that have it
	Room, InRoom uint64 // rows of rooms that have it as a room, and as a part
}

// SettingOf returns the rows of a head.
func SettingOf(head string) Setting {
	return Setting{surroundings.With(head), rooms.With(head), rooms.WithOther(head)}
}

// Add adds what another noun says of the same scene.
func (s *Setting) Add(t Setting) {
	s.around, s.Room, s.InRoom = s.around|t.around, s.Room|t.Room, s.InRoom|t.InRoom
}

// MayHave reports whether what is at t may be at s.
func (s Setting) MayHave(t Setting) bool { return s.around&t.around != 0 || s.Room&t.InRoom != 0 }

// Tables of truth.tsv, which says what each is.
var (
	furnished = Truths["furnished"]
	Scenery   = Truths["scenery"]
)

// Furnishing has the rows of furnished that a noun is a place in, and a part.
type Furnishing struct{ Place, Part uint64 }

// FurnishingOf returns the rows of a head.
func FurnishingOf(head string) Furnishing {
	return Furnishing{furnished.With(head), furnished.WithOther(head)}
}
