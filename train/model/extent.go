package model

// Extent is the range of a tower's gradients in Model.Gradients.
type Extent struct {
	First, End int
	// Blocks has the start of each block; it is empty for towers without blocks. The gradients
	// after the last block are those of the parameters after the blocks.
	Blocks []int
}

// Extent returns the range of a tower's gradients, which is empty if the tower is frozen.
func (m *Model) Extent(tower string) Extent {
	var e Extent
	at := 0
	for i, s := range m.Specs {
		if !m.Vars[i].NeedsGrad() {
			continue
		}
		if s.Tower == tower {
			if e.End == 0 {
				e.First = at
			}
			if s.Block == len(e.Blocks)+1 {
				e.Blocks = append(e.Blocks, at)
			}
			e.End = at + alignUp(s.Len())
		}
		at += alignUp(s.Len())
	}
	return e
}
