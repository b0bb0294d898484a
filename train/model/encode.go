package model

import "capgraph/kernels"

// normEps is added to variances in the layer norms of CLIP.
const normEps = 1e-5

// Images are packed images for the tape: their pixels, n·side·side·3 bytes, and indices of rows.
type Images struct {
	// Learned says that batch norms normalise by the moments of these images and update their running averages, as in
	// training. Otherwise they normalise by the averages.
	Learned bool

	pixels        kernels.Bytes
	starts, class kernels.Ints
	byClass       kernels.Groups
	patches       patches

	places  kernels.Ints // rows of the tokens: for a ResNet, among means and places; for SigLIP, among patches
	byPlace kernels.Groups

	pooled   kernels.Ints // for SigLIP: the rows of query, key and value with which each patch is in the pooling
	byPooled kernels.Groups
	values   kernels.Ints // for SigLIP: the rows of values among keys and values, if features of patches are needed
	byValue  kernels.Groups
}

// patches has the rows of patches among the tokens, the place of each patch in its image, and the start of each image.
// It is set for a model with a binding, or if features of patches are needed.
type patches struct {
	rows, places, starts kernels.Ints
	byRow, byPlace       kernels.Groups
}

// Texts are packed texts for the tape.
type Texts struct {
	ids, starts, ends kernels.Ints
	byID, byEnd       kernels.Groups
}

// Packer makes batches for the tape. A result is valid until its next call, or the device's next Reset. One Packer
// packs the images or the texts of one tape.
type Packer struct {
	// WithPatches says that the features of patches are needed.
	WithPatches bool

	ids, starts, last []int32
	byID, byLast      kernels.Grouper

	rows, places, begins []int32 // of patches
	byPatch, byPlace     kernels.Grouper
	byValue              kernels.Grouper

	images Images // the batch that is being packed
}

// Images packs images of the model's size, given their pixels.
func (p *Packer) Images(d kernels.Device, c Config, pixels []byte) Images {
	side := c.Image.ImageSize
	p.images = Images{pixels: d.Bytes(pixels)}
	c.Image.architecture().packImages(p, d, c, len(pixels)/(3*side*side), &p.images)
	return p.images
}

// packSequences sets the sequences of n images of length tokens, whose features are pooled at the first token.
func (p *Packer) packSequences(d kernels.Device, n, length int, to *Images) {
	p.starts, p.last = p.starts[:0], p.last[:0]
	for i := range n {
		p.starts = append(p.starts, int32(i*length))
		p.last = append(p.last, int32(i*length))
	}
	p.starts = append(p.starts, int32(n*length))
	to.starts, to.class = d.Ints(p.starts), d.Ints(p.last)
	to.byClass = groupRows(d, &p.byLast, p.last, n*length)
}

// Texts packs texts, given the ids of all of them, one after another, and the length of each, at least 1. They are
// padded to room.
func (p *Packer) Texts(d kernels.Device, c Config, ids []int32, lengths []int32, room Room) Texts {
	p.ids = append(p.ids[:0], ids...)
	p.starts, p.last = append(p.starts[:0], 0), p.last[:0]
	var at int32
	for _, n := range lengths {
		at += n
		p.starts = append(p.starts, at)
		p.last = append(p.last, at-1)
	}
	p.padTexts(room)
	return Texts{
		ids: d.Ints(p.ids), starts: d.Ints(p.starts), ends: d.Ints(p.last),
		byID:  paddedGroups(d, &p.byID, p.ids, c.Text.VocabSize, room.Tokens),
		byEnd: paddedGroups(d, &p.byLast, p.last, len(p.ids), room.Texts),
	}
}

// groupRows returns the groups of equal values, which are below n.
func groupRows(d kernels.Device, g *kernels.Grouper, values []int32, n int) kernels.Groups {
	return paddedGroups(d, g, values, n, 0)
}

// paddedGroups returns the groups of equal values, which are below n, and adds empty groups until there are at least as
// many as least.
func paddedGroups(d kernels.Device, g *kernels.Grouper, values []int32, n, least int) kernels.Groups {
	distinct, bounds, order := g.GroupBy(values, n)
	for len(distinct) < least {
		distinct, bounds = append(distinct, 0), append(bounds, int32(len(order)))
	}
	return kernels.Groups{Values: d.Ints(distinct), Bounds: d.Ints(bounds), Order: d.Ints(order)}
}

// packPatches returns the patches of n images of length tokens, of which the first is no patch.
func (p *Packer) packPatches(d kernels.Device, n, length int) patches {
	p.rows, p.places, p.begins = p.rows[:0], p.places[:0], append(p.begins[:0], 0)
	for i := range n {
		for k := 1; k < length; k++ {
			p.rows, p.places = append(p.rows, int32(i*length+k)), append(p.places, int32(k-1))
		}
		p.begins = append(p.begins, int32(len(p.rows)))
	}
	return patches{
		rows: d.Ints(p.rows), places: d.Ints(p.places), starts: d.Ints(p.begins),
		byRow: groupRows(d, &p.byPatch, p.rows, n*length), byPlace: groupRows(d, &p.byPlace, p.places, length-1),
	}
}

// EncodeImages returns the features of images, [n, EmbedDim], not normalised to length 1.
func (m *Model) EncodeImages(t *kernels.Tape, images Images) *kernels.Var {
	return m.PoolImages(t, m.ImageTokens(t, images), images)
}

// PoolImages returns the features of images as EncodeImages does, given their tokens from ImageTokens.
func (m *Model) PoolImages(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var {
	return m.image.poolFeatures(t, tokens, images)
}

// ImageTokens returns the tokens of images after the blocks of their tower: Image.Tokens() rows for each, before the
// last norm.
func (m *Model) ImageTokens(t *kernels.Tape, images Images) *kernels.Var {
	return m.image.encodeTokens(t, images)
}

// PatchFeatures returns the features of patches in the common space, given the images' tokens from ImageTokens:
// Image.Grid()² rows of EmbedDim numbers for each image, not normalised. It needs a Packer WithPatches and a
// configuration that HasPatchFeatures.
func (m *Model) PatchFeatures(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var {
	return m.image.(patchFeatureTower).patchFeatures(t, tokens, images)
}

// EncodeTexts returns the features of texts, [n, EmbedDim], not normalised to length 1. A causal text tower is pooled
// at each text's last token, so the result is the same without padding. If Text.Padded is set, the texts must include
// their padding.
func (m *Model) EncodeTexts(t *kernels.Tape, texts Texts) *kernels.Var {
	return m.PoolTexts(t, m.TextTokens(t, texts), texts)
}

// TextTokens returns the tokens of texts after the blocks of their tower: a row for each token, before the last norm.
func (m *Model) TextTokens(t *kernels.Tape, texts Texts) *kernels.Var {
	x := t.Tokens(m.text.embedding, m.text.positions, texts.ids, texts.starts, texts.byID)
	return m.text.runBlocks(t, x, texts.starts)
}

// PoolTexts returns the features of texts as EncodeTexts does, given their tokens from TextTokens.
func (m *Model) PoolTexts(t *kernels.Tape, tokens *kernels.Var, texts Texts) *kernels.Var {
	return m.text.projectPooled(t, t.Gather(tokens, texts.ends, texts.byEnd))
}

// TokenFeatures returns the features of tokens in the common space, [tokens, EmbedDim], not normalised.
func (m *Model) TokenFeatures(t *kernels.Tape, tokens *kernels.Var) *kernels.Var {
	return m.text.projectPooled(t, tokens)
}

// apply normalises rows.
func (n norm) apply(t *kernels.Tape, x *kernels.Var) *kernels.Var {
	return t.LayerNorm(x, n.gain, n.bias, n.eps)
}

// applyHalf is apply for a result that only linear layers read.
func (n norm) applyHalf(t *kernels.Tape, x *kernels.Var) *kernels.Var {
	return t.HalfLayerNorm(x, n.gain, n.bias, n.eps)
}

// runBlocks applies all blocks to sequences.
func (w *encoder) runBlocks(t *kernels.Tape, x *kernels.Var, starts kernels.Ints) *kernels.Var {
	for _, block := range w.blocks {
		x = t.Part(x, starts, block)
	}
	return x
}

// apply applies the block to sequences.
func (b *block) apply(t *kernels.Tape, x *kernels.Var, starts kernels.Ints) *kernels.Var {
	qkv := t.Linear(b.norm1.applyHalf(t, x), b.in.weight, b.in.bias, nil, kernels.NoActivation)
	x = t.Linear(t.Attention(qkv, starts, b.heads, b.causal), b.out.weight, b.out.bias, x, kernels.NoActivation)
	hidden := t.HiddenLinear(b.norm2.applyHalf(t, x), b.fc.weight, b.fc.bias, b.activation)
	return t.Linear(hidden, b.proj.weight, b.proj.bias, x, kernels.NoActivation)
}

// projectPooled normalises pooled rows and projects them to the common space. The layer norm can follow pooling because
// it works on each row separately.
func (w *encoder) projectPooled(t *kernels.Tape, pooled *kernels.Var) *kernels.Var {
	return t.Linear(w.postNorm.applyHalf(t, pooled), w.projection.weight, w.projection.bias, nil, kernels.NoActivation)
}
