package model

import "capgraph/kernels"

// TextStates returns the hidden states [tokens, width] of texts: those before the text tower's first block, then those
// after each block.
func (m *Model) TextStates(t *kernels.Tape, texts Texts) []*kernels.Var {
	states := []*kernels.Var{t.Tokens(m.text.embedding, m.text.positions, texts.ids, texts.starts, texts.byID)}
	for i, block := range m.text.blocks {
		states = append(states, t.Part(states[i], texts.starts, block))
	}
	return states
}

// TextTail applies the blocks from layer on and the last norm to the given rows of states, which is TextStates[layer].
// starts are the sequences of the rows: each row attends to the rows of its own sequence up to itself.
func (m *Model) TextTail(t *kernels.Tape, states *kernels.Var, layer int, rows, starts []int32) *kernels.Var {
	x := gatherRows(t, states, rows, &kernels.Grouper{})
	for _, block := range m.text.blocks[layer:] {
		x = t.Part(x, t.Device.Ints(starts), block)
	}
	return m.text.postNorm.apply(t, x)
}
