package model

// Extent is where in Grads the gradients of a tower lie.
type Extent struct {
	First, End int
	// Blocks are where those of each block begin; empty of towers without any. What lies
	// behind comes after the block.
	Blocks []int
}

// Extent is that of a tower, all 0 where it is frozen.
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
			e.End = at + spread(s.Len())
		}
		at += spread(s.Len())
	}
	return e
}
