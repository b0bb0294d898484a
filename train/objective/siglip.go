package objective

import "capgraph/kernels"

// SigLIP is a loss in which each pair of an image and a caption of a batch is a classification of
// its own, by a sigmoid with a learned bias (Zhai et al. 2023, eq. 1).
type SigLIP struct {
	stateless
	captions
}

// Name implements Objective.
func (*SigLIP) Name() string { return "siglip" }

// Loss implements Objective.
func (c *SigLIP) Loss(t *kernels.Tape, e Features) *kernels.Var {
	return t.SigmoidContrastive(c.similarities(t, e), e.LogitBias, t.Device.Bytes(c.mask), 1/float64(c.n))
}
