package kernels

type tokensOps interface {
	// Tokens computes y[t] = table[ids[t]] + positions[t − first row of its sequence]: table
	// [vocabulary, w], positions [context, w], y [n, w].
	Tokens(y, table, positions Tensor, ids, starts Ints)
	// TokensBackward adds dy to the rows of table and positions. Each gradient may be none. by
	// groups the rows of dy by their id.
	TokensBackward(dtable, dpositions Grad, dy Tensor, starts Ints, by Groups)
}

// Tokens returns the embeddings of packed texts: ids are the tokens of all texts, starts the first
// token of each text, with len(ids) at the end. Positions begin at 0 in each text. by may be empty
// if the table needs no gradient.
func (t *Tape) Tokens(table, positions *Var, ids, starts Ints, by Groups) *Var {
	checkShape(table.Value.Cols == positions.Value.Cols, "the embeddings of tokens and positions have several widths")
	checkShape(starts.covers(ids.Len()) && starts.longestPart() <= positions.Value.Rows, "the texts are not the tokens, or one is longer than the context")
	checkShape(ids.allInRange(table.Value.Rows), "a token is not of the vocabulary")
	y := t.newResult(ids.Len(), table.Value.Cols, table, positions)
	checkShape(!table.NeedsGrad() || t.ForwardOnly || by.Order.Len() == ids.Len(), "tokens are not grouped for the gradient of their table")
	t.Device.Tokens(y.Value, table.Value, positions.Value, ids, starts)
	return t.addRecord(record{backward: tokensBackward, in: [4]*Var{table, positions}, out: y, ints: [5]Ints{starts, by.Values, by.Bounds, by.Order}})
}

func tokensBackward(t *Tape, r *record) {
	t.Device.TokensBackward(t.gradOf(r.in[0]), t.gradOf(r.in[1]), r.out.Grad, r.ints[0], Groups{r.ints[1], r.ints[2], r.ints[3]})
}

// Tokens implements Device.
func (*Reference) Tokens(y, table, positions Tensor, ids, starts Ints) {
	for s := range starts.Len() - 1 {
		for i := starts.Host[s]; i < starts.Host[s+1]; i++ {
			position := positions.row(int(i - starts.Host[s]))
			to := y.row(int(i))
			for k, v := range table.row(int(ids.Host[i])) {
				to[k] = v + position[k]
			}
		}
	}
}

// TokensBackward implements Device.
func (*Reference) TokensBackward(dtable, dpositions Grad, dy Tensor, starts Ints, by Groups) {
	if !dtable.IsNone() {
		if !dtable.Add {
			clear(dtable.F64)
		}
		sumGroups(dtable.Tensor, dy, by)
	}
	if dpositions.IsNone() {
		return
	}
	if !dpositions.Add {
		clear(dpositions.F64)
	}
	for s := range starts.Len() - 1 {
		for i := starts.Host[s]; i < starts.Host[s+1]; i++ {
			to := dpositions.row(int(i - starts.Host[s]))
			for k, v := range dy.row(int(i)) {
				to[k] += v
			}
		}
	}
}
