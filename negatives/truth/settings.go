package truth

// Tables of truth.tsv, which explains them.
var (
	Unsaid       = Truths["unsaid"]
	surroundings = Truths["around"]
	rooms        = Truths["rooms"]
)

// Setting has the rows of the tables of scenes that have a noun: bit i is row i.
type Setting struct {
	around       uint64 // rows of surroundings with the noun
	Room, InRoom uint64 // rows of rooms with the noun as a room, and as a part of a room
}

// SettingOf returns the setting of a head.
func SettingOf(head string) Setting {
	return Setting{surroundings.RowsWith(head), rooms.RowsWith(head), rooms.RowsWithOther(head)}
}

// Add adds the rows of another noun in the same scene.
func (s *Setting) Add(t Setting) {
	s.around, s.Room, s.InRoom = s.around|t.around, s.Room|t.Room, s.InRoom|t.InRoom
}

// MayHave reports whether things in setting t may be in setting s.
func (s Setting) MayHave(t Setting) bool { return s.around&t.around != 0 || s.Room&t.InRoom != 0 }

// Tables of truth.tsv, which explains them.
var (
	furnished = Truths["furnished"]
	Scenery   = Truths["scenery"]
)

// Furnishing has the rows of the table furnished that have a noun as a place, and as a part of a
// place.
type Furnishing struct{ Place, Part uint64 }

// FurnishingOf returns the furnishing of a head.
func FurnishingOf(head string) Furnishing {
	return Furnishing{furnished.RowsWith(head), furnished.RowsWithOther(head)}
}
