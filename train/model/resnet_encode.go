package model

import "capgraph/kernels"

// The defaults of PyTorch's BatchNorm2d: what is added to variances, and the weight of a new batch
// in the running averages.
const (
	batchNormEps      = 1e-5
	batchNormMomentum = 0.1
)

// resNetTower has a ResNet's parameters on a device.
type resNetTower struct {
	config Config
	// trainBlocks are the stem and the blocks, with norms by the moments of a batch. inferBlocks
	// are the same with norms by running averages.
	trainBlocks, inferBlocks []kernels.PartFunc
	positions                *kernels.Var
	qkv, out                 layer
	heads                    int
}

// convNorm is a convolution without a bias and its batch norm.
type convNorm struct {
	weight, gain, bias *kernels.Var
	running            kernels.Normalisation
}

func (resNet) newTower(named map[string]*kernels.Var, c Config) imageTower {
	i := c.Image
	find := func(convolution, norm string) convNorm {
		at := "visual." + norm
		return convNorm{
			weight: named["visual."+convolution+".weight"], gain: named[at+".weight"], bias: named[at+".bias"],
			running: kernels.Normalisation{
				Mean: named[at+".running_mean"].Value, Variance: named[at+".running_var"].Value, Momentum: batchNormMomentum, Eps: batchNormEps,
			},
		}
	}
	r := &resNetTower{
		config: c, positions: named["visual.attnpool.positional_embedding"], heads: i.pooledWidth() / i.HeadWidth,
		qkv: layer{named["visual.attnpool.qkv.weight"], named["visual.attnpool.qkv.bias"]},
		out: layer{named["visual.attnpool.c_proj.weight"], named["visual.attnpool.c_proj.bias"]},
	}
	add := func(on func(t *kernels.Tape, x *kernels.Var, learned bool) *kernels.Var) {
		r.trainBlocks = append(r.trainBlocks, func(t *kernels.Tape, x *kernels.Var, _ kernels.Ints) *kernels.Var { return on(t, x, true) })
		r.inferBlocks = append(r.inferBlocks, func(t *kernels.Tape, x *kernels.Var, _ kernels.Ints) *kernels.Var { return on(t, x, false) })
	}
	before := &resNetStem{side: i.ImageSize, one: find("conv1", "bn1"), two: find("conv2", "bn2"), three: find("conv3", "bn3")}
	add(before.apply)
	side := i.ImageSize / 4
	i.Stages.eachBlock(func(stage, number int) {
		at := bottleneckName(stage, number)
		b := &bottleneck{side: side, stride: 1, one: find(at+"conv1", at+"bn1"), two: find(at+"conv2", at+"bn2"), three: find(at+"conv3", at+"bn3")}
		if number == 0 {
			down := find(at+"downsample.0", at+"downsample.1")
			b.down = &down
			if stage > 0 {
				b.stride = 2
				side /= 2
			}
		}
		add(b.apply)
	})
	return r
}

// apply applies the batch norm to x, the result of the convolution, and adds a residual, which may
// be nil.
func (c *convNorm) apply(t *kernels.Tape, x, residual *kernels.Var, rectified, learned bool) *kernels.Var {
	z := c.running
	z.Rectified = rectified
	if learned {
		return t.BatchNorm(x, c.gain, c.bias, residual, z)
	}
	return t.InferenceBatchNorm(x, c.gain, c.bias, residual, z)
}

// resNetStem is the part of a ResNet before its stages, for images of side² pixels.
type resNetStem struct {
	side            int
	one, two, three convNorm
}

func (s *resNetStem) apply(t *kernels.Tape, x *kernels.Var, learned bool) *kernels.Var {
	window := kernels.Window{Side: s.side, Kernel: 3, Stride: 2, Padding: 1}
	for _, c := range []*convNorm{&s.one, &s.two, &s.three} {
		x = c.apply(t, t.Convolution(x, c.weight, window), nil, true, learned)
		window.Side, window.Stride = s.side/2, 1
	}
	return t.AveragePool(x, s.side/2, 2)
}

// bottleneck is a block (He et al. 2016, fig. 5) for images of side² places, with an average pool
// in place of a stride (Radford et al. 2021, §2.4). down projects the residual to the width of the
// result; it is nil if the widths are equal.
type bottleneck struct {
	side, stride    int
	one, two, three convNorm
	down            *convNorm
}

func (b *bottleneck) apply(t *kernels.Tape, x *kernels.Var, learned bool) *kernels.Var {
	y := b.one.apply(t, t.Linear(x, b.one.weight, nil, nil, kernels.NoActivation), nil, true, learned)
	y = t.Convolution(y, b.two.weight, kernels.Window{Side: b.side, Kernel: 3, Stride: 1, Padding: 1})
	y = b.applyStride(t, b.two.apply(t, y, nil, true, learned))
	if b.down != nil {
		x = b.down.apply(t, t.Linear(b.applyStride(t, x), b.down.weight, nil, nil, kernels.NoActivation), nil, false, learned)
	}
	return b.three.apply(t, t.Linear(y, b.three.weight, nil, nil, kernels.NoActivation), x, true, learned)
}

// applyStride returns x after the average pool, or x if the stride is 1.
func (b *bottleneck) applyStride(t *kernels.Tape, x *kernels.Var) *kernels.Var {
	if b.stride == 1 {
		return x
	}
	return t.AveragePool(x, b.side, b.stride)
}

// encodeTokens returns, for each image, the mean of its places, then the places, each plus its
// position embedding.
func (r *resNetTower) encodeTokens(t *kernels.Tape, images Images) *kernels.Var {
	c := r.config
	blocks := r.inferBlocks
	if images.Learned {
		blocks = r.trainBlocks
	}
	x := t.Patchify(images.pixels, c.Image.ImageSize, 1, c.Mean, c.Std)
	for _, block := range blocks {
		x = t.Part(x, images.starts, block)
	}
	grid := c.Image.Grid()
	return t.Tokens(t.Stack(t.AveragePool(x, grid, grid), x), r.positions, images.places, images.starts, images.byPlace)
}

// poolFeatures is attention pooling, in which the mean attends to the places (Radford et al. 2021,
// §2.4).
func (r *resNetTower) poolFeatures(t *kernels.Tape, tokens *kernels.Var, images Images) *kernels.Var {
	qkv := t.Linear(tokens, r.qkv.weight, r.qkv.bias, nil, kernels.NoActivation)
	x := t.Gather(t.Attention(qkv, images.starts, r.heads, false), images.class, images.byClass)
	return t.Linear(x, r.out.weight, r.out.bias, nil, kernels.NoActivation)
}
