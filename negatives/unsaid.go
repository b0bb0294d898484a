package negatives

// Tables of truth.tsv, which says what each is.
var (
	unsaid       = truths["unsaid"]
	surroundings = truths["around"]
	rooms        = truths["rooms"]
)

// setting says what a noun says of the place of a scene, in rows of the tables:
// bit i is row i.
type setting struct {
	around       uint64 // rows of surroundings that have it
	room, inRoom uint64 // rows of rooms that have it as a room, and as a part
}

func settingOf(head string) setting {
	return setting{surroundings.with(head), rooms.with(head), rooms.withOther(head)}
}

func (s *setting) add(t setting) {
	s.around, s.room, s.inRoom = s.around|t.around, s.room|t.room, s.inRoom|t.inRoom
}

// mayHave holds where what is at t may be at s.
func (s setting) mayHave(t setting) bool { return s.around&t.around != 0 || s.room&t.inRoom != 0 }
