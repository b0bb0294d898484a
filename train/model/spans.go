package model

import "capgraph/kernels"

// TextStates returns the text tower's hidden states of tokens: [tokens, width] before its first
// block, and after each.
func (m *Model) TextStates(t *kernels.Tape, texts Texts) []*kernels.Var {
	states := []*kernels.Var{t.Tokens(m.text.embedding, m.text.positions, texts.ids, texts.starts, texts.byID)}
	for i, block := range m.text.blocks {
		states = append(states, t.Part(states[i], texts.starts, block))
	}
	return states
}

// TextTail takes rows of TextStates[layer] through the blocks from layer on and the last norm.
// starts are the sequences of the rows, as for texts: each row sees the rows of its own sequence up to itself.
func (m *Model) TextTail(t *kernels.Tape, states *kernels.Var, layer int, rows, starts []int32) *kernels.Var {
	x := gatherRows(t, states, rows, &kernels.Grouper{})
	for _, block := range m.text.blocks[layer:] {
		x = t.Part(x, t.Device.Ints(starts), block)
	}
	return m.text.postNorm.apply(t, x)
}
