package model

import "strings"

// The parts of a transformer's blocks.
const (
	AttentionPart = "attention"
	MLPPart       = "mlp"
)

// BlockPart returns AttentionPart or MLPPart for a matrix of that part of a transformer's block,
// and "" for all other parameters.
func (s Spec) BlockPart() string {
	switch {
	case s.Block == 0 || len(s.Shape) != 2 || !strings.HasSuffix(s.Name, "weight"):
		return ""
	case strings.Contains(s.Name, ".attn."):
		return AttentionPart
	case strings.Contains(s.Name, ".mlp."):
		return MLPPart
	}
	return ""
}

// Adapters returns the matrices A [rank, Cols] and B [Rows, rank] of a low-rank adapter of the
// matrix (LoRA, Hu et al. 2022). The initial values of A are normal with standard deviation 1/rank,
// those of B are 0.
func (s Spec) Adapters(rank int) (a, b Spec) {
	of := func(name string, l distribution, rows, cols int) Spec {
		return Spec{Name: s.Name + name, Shape: []int{rows, cols}, Rows: rows, Cols: cols, Tower: s.Tower, Block: s.Block, Decay: true, law: l}
	}
	return of(".lora_A", normal(1/float64(rank)), rank, s.Cols), of(".lora_B", constant(0), s.Rows, rank)
}
