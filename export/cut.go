package export

import (
	"fmt"
	"slices"

	"capgraph/schemas"
	"capgraph/train/tokenizer"
)

// cutNegatives leaves out negatives that a text encoder with a short context cannot tell from their
// positives, since they differ only after the last token that it reads. A nil *cutNegatives leaves out none.
type cutNegatives struct {
	tokenizer     tokenizer.Tokenizer
	all, cut      int
	positive, neg []int32 // scratch memory
}

// newCutNegatives returns a cutNegatives for text encoders that read that many of CLIP's tokens; nil for 0.
func newCutNegatives(context int) (*cutNegatives, error) {
	if context == 0 {
		return nil, nil
	}
	t, err := tokenizer.NewCLIP()
	if err != nil {
		return nil, err
	}
	if t, err = t.WithContext(context); err != nil {
		return nil, err
	}
	return &cutNegatives{tokenizer: t}, nil
}

// dropEqual drops a row's negatives whose tokens within the context are those of their positive.
func (c *cutNegatives) dropEqual(r *Row) {
	if c == nil {
		return
	}
	c.all += len(r.Negatives)
	of := int16(-1)
	r.Negatives = slices.DeleteFunc(r.Negatives, func(n schemas.HardNegative) bool {
		if int(n.Of) >= len(r.Positives) || len(r.Positives[n.Of].Text) < c.tokenizer.Context()-2 { // a token has a byte or more
			return false
		}
		if n.Of != of {
			of, c.positive = n.Of, c.tokenizer.Encode(c.positive[:0], r.Positives[n.Of].Text)
		}
		c.neg = c.tokenizer.Encode(c.neg[:0], n.Text)
		equal := slices.Equal(c.positive, c.neg)
		if equal {
			c.cut++
		}
		return equal
	})
}

// warning returns a warning with the number of dropped negatives; "" if there are none.
func (c *cutNegatives) warning() string {
	if c == nil || c.cut == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d negatives are left out: within the %d tokens of a text encoder they equal their positives (--context sets the tokens of yours, 0 keeps all)", c.cut, c.all, c.tokenizer.Context())
}
