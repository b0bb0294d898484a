package model

import "fmt"

// These bound what a file can make capgraph allocate: the largest known model
// has 48 layers and a width of 1,792.
const (
	maxLayers = 1 << 8
	maxWidth  = 1 << 14
	maxSide   = 1 << 13
	maxVocab  = 1 << 22
)

// Check tells whether the numbers fit each other. The error names the key of
// open_clip's configuration and what it may be.
func (c Config) Check() error {
	if err := bounded(bound{"embed_dim", c.EmbedDim, maxWidth}); err != nil {
		return err
	}
	if err := c.Image.architecture().check(c); err != nil {
		return err
	}
	if err := c.Text.check(); err != nil {
		return err
	}
	for i := range c.Std {
		if !(c.Std[i] > 0) {
			return fmt.Errorf("preprocess_cfg.std has %v: it must be above 0", c.Std[i])
		}
	}
	return c.Binding.check()
}

func (t Text) check() error {
	if err := bounded(
		bound{"text_cfg.context_length", t.ContextLength, maxWidth},
		bound{"text_cfg.vocab_size", t.VocabSize, maxVocab},
		bound{"text_cfg.layers", t.Layers, maxLayers},
		bound{"text_cfg.width", t.Width, maxWidth},
		bound{"text_cfg.heads", t.Heads, maxWidth},
		bound{"text_cfg.width · mlp_ratio", hidden(t.Width, t.MLPRatio), 16 * maxWidth},
	); err != nil {
		return err
	}
	return divides(division{"text_cfg.width", t.Width, "heads", t.Heads})
}

// hidden is the width between the two layers of an MLP, as far as an int holds it.
func hidden(width int, ratio float64) int { return int(min(float64(width)*ratio, 1e9)) }

// bound is a number of a configuration, which is from 1 to most.
type bound struct {
	key         string
	value, most int
}

func bounded(bounds ...bound) error {
	for _, n := range bounds {
		if n.value < 1 || n.value > n.most {
			return fmt.Errorf("%s is %d: it must be from 1 to %d", n.key, n.value, n.most)
		}
	}
	return nil
}

// division is a number of a configuration that another divides.
type division struct {
	key   string
	value int
	by    string
	part  int
}

func divides(divisions ...division) error {
	for _, d := range divisions {
		if d.value%d.part != 0 {
			return fmt.Errorf("%s, %d, must be a multiple of %s, %d", d.key, d.value, d.by, d.part)
		}
	}
	return nil
}
