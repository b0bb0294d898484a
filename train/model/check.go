package model

import "fmt"

// Limits of the memory that a file can make capgraph allocate. The largest known model has 48
// layers and a width of 1,792.
const (
	maxLayers = 1 << 8
	maxWidth  = 1 << 14
	maxSide   = 1 << 13
	maxVocab  = 1 << 22
)

// Check returns an error if a number is out of range or does not fit the others. The error names
// the key in open_clip's configuration and the allowed values.
func (c Config) Check() error {
	if err := checkLimits(limit{"embed_dim", c.EmbedDim, maxWidth}); err != nil {
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
	if err := checkLimits(
		limit{"text_cfg.context_length", t.ContextLength, maxWidth},
		limit{"text_cfg.vocab_size", t.VocabSize, maxVocab},
		limit{"text_cfg.layers", t.Layers, maxLayers},
		limit{"text_cfg.width", t.Width, maxWidth},
		limit{"text_cfg.heads", t.Heads, maxWidth},
		limit{"text_cfg.width · mlp_ratio", hiddenWidth(t.Width, t.MLPRatio), 16 * maxWidth},
	); err != nil {
		return err
	}
	return checkDivisions(division{"text_cfg.width", t.Width, "heads", t.Heads})
}

// hiddenWidth returns the width between the two layers of an MLP, or the largest int if it is
// larger.
func hiddenWidth(width int, ratio float64) int { return int(min(float64(width)*ratio, 1e9)) }

// limit is a number of a configuration that must be from 1 to most.
type limit struct {
	key         string
	value, most int
}

func checkLimits(bounds ...limit) error {
	for _, n := range bounds {
		if n.value < 1 || n.value > n.most {
			return fmt.Errorf("%s is %d: it must be from 1 to %d", n.key, n.value, n.most)
		}
	}
	return nil
}

// division is a number of a configuration that must be a multiple of another.
type division struct {
	key   string
	value int
	by    string
	part  int
}

func checkDivisions(divisions ...division) error {
	for _, d := range divisions {
		if d.value%d.part != 0 {
			return fmt.Errorf("%s, %d, must be a multiple of %s, %d", d.key, d.value, d.by, d.part)
		}
	}
	return nil
}
