package export

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"capgraph/images"
	"capgraph/schemas"
	"capgraph/schemas/drawing"
)

// HalfTruthOptions are the settings of WriteHalfTruths. Of Options, that also uses Store, Dir, Output
// and Stdout.
type HalfTruthOptions struct {
	Seed uint64
	// Limit is the greatest number of cases; 0 for no limit.
	Limit int
	// Images are the images on which the cases will be evaluated, to find the name of a row's image. It
	// may be nil.
	Images images.Set
	// Tag returns the words of a text with their part-of-speech tags. They are valid until the next call.
	Tag func(text string) ([]schemas.Token, error)
}

// halfTruth is a test case in the form of CS-CLIP's Half-Truths (Kargi et al. 2026).
type halfTruth struct {
	ID      string `json:"id"`
	Image   string `json:"image"`
	Caption string `json:"caption"`
	Anchor  string `json:"anchor"`
	Half    string `json:"half_truth"`
	Full    string `json:"full_truth"`
	Type    string `json:"triplet_type"`

	draw uint64
}

// The values of halfTruth.Type: what the longer texts add to the anchor.
const (
	addedEntity   = "entity"
	addedRelation = "relation"
)

// ErrNoHalfTruths is the error if no caption makes a case.
var ErrNoHalfTruths = errors.New("no caption has a part to begin with and another with a negative; nothing is written")

// WriteHalfTruths writes cases as JSON lines. A case has a part of a caption (the anchor), the anchor
// with another part (the full truth), and the anchor with a negative of that other part (the half
// truth). Each caption gives at most one case that adds an entity and one that adds a relation, drawn
// by a hash of the seed and the key. If there are more than the limit, those with the smallest hashes
// are kept, in the order of the rows. Rows counts captions, Written cases.
func WriteHalfTruths(ctx context.Context, o Options, h HalfTruthOptions) (s Summary, err error) {
	shards, err := ListShards(o.Store, o.Dir)
	if err != nil {
		return s, err
	}
	var cases []halfTruth
	for r, err := range readRows(o, shards) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return s, err
		}
		s.Rows++
		made, reason, err := h.newCases(r)
		if err != nil {
			return s, err
		}
		if reason != "" {
			s.leaveOut(reason)
		}
		if cases = append(cases, made...); h.Limit > 0 && len(cases) > 2*h.Limit+1024 {
			cases = keepLowestDraws(cases, h.Limit)
		}
	}
	if len(cases) == 0 {
		return s, fmt.Errorf("%s: %w", o.Dir, s.noCasesError())
	}
	if h.Limit > 0 {
		cases = keepLowestDraws(cases, h.Limit)
	}
	s.Written = len(cases)
	return s, writeFile(o, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 64<<10)
		for i := range cases {
			data, err := plainJSON(&cases[i])
			if err != nil {
				return err
			}
			out.Write(data)
			out.WriteByte('\n')
		}
		return out.Flush()
	})
}

// noCasesError returns the error of an export without cases. It says so if the images have no names.
func (s *Summary) noCasesError() error {
	for _, l := range s.LeftOut {
		if l.Reason == noImageName && l.Rows == s.Rows {
			return errors.New("no row names an image: its columns image and key are empty")
		}
	}
	return ErrNoHalfTruths
}

// keepLowestDraws returns the n cases with the smallest hashes, in the order that they had.
func keepLowestDraws(cases []halfTruth, n int) []halfTruth {
	if len(cases) <= n {
		return cases
	}
	draws := make([]uint64, len(cases))
	for i := range cases {
		draws[i] = cases[i].draw
	}
	slices.Sort(draws)
	return slices.DeleteFunc(cases, func(c halfTruth) bool { return c.draw >= draws[n] })
}

// noImageName is the reason for leaving out rows that have no name of their image.
const noImageName = "no name of an image"

// newCases returns the cases of a row, or the reason why there are none.
func (h *HalfTruthOptions) newCases(r *Row) (cases []halfTruth, reason string, err error) {
	image := r.Image
	if h.Images != nil && images.NamedByKey(h.Images) || image == "" {
		image = r.Key
	}
	if image == "" {
		return nil, noImageName, nil
	}
	entities, wrong := h.listEntities(&r.Pool)
	relations, err := h.listRelations(&r.Pool)
	if err = cmp.Or(wrong, err); err != nil {
		return nil, "", fmt.Errorf("key %q: %w", r.Key, err)
	}
	for _, drawn := range []struct {
		kind string
		from []halfTruth
	}{{addedEntity, entities}, {addedRelation, relations}} {
		if len(drawn.from) == 0 {
			continue
		}
		id := r.Key + " " + drawn.kind
		random := drawing.NewDraw(h.Seed, 0, 0).Random("half-truths", id)
		c := drawn.from[random.IntN(len(drawn.from))]
		c.ID, c.Type, c.draw = id, drawn.kind, random.Next()
		// The row is valid until the next one.
		c.Image, c.Caption = strings.Clone(image), strings.Clone(r.Text)
		c.Anchor, c.Half, c.Full = strings.Clone(c.Anchor), strings.Clone(c.Half), strings.Clone(c.Full)
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		return nil, "no part to begin with and another with a negative", nil
	}
	return cases, "", nil
}

// listEntities returns the cases that add an object to another one: "a dog", "a dog and a red ball", "a
// dog and a blue ball". Phrases that share a noun, such as "a bus" and "a red bus", may describe one
// thing and make no case.
func (h *HalfTruthOptions) listEntities(p *schemas.Pool) (cases []halfTruth, err error) {
	nouns := map[string][]string{}
	nounsOf := func(text string) []string {
		if _, known := nouns[text]; !known && err == nil {
			nouns[text], err = h.listNouns(text)
		}
		return nouns[text]
	}
	for _, n := range p.Negatives {
		added := &p.Positives[n.Of]
		if added.Kind != schemas.KindObject || n.Changed != schemas.ChangedObject && n.Changed != schemas.ChangedAttribute {
			continue
		}
		full, half := trimExistence(added.Text), trimExistence(n.Text)
		for i := range p.Positives {
			anchor := trimExistence(p.Positives[i].Text)
			if p.Positives[i].Kind != schemas.KindObject || i == int(n.Of) {
				continue
			}
			shared := func(noun string) bool {
				return slices.Contains(nounsOf(full), noun) || slices.Contains(nounsOf(half), noun)
			}
			if !slices.ContainsFunc(nounsOf(anchor), shared) {
				cases = append(cases, halfTruth{Anchor: anchor, Half: anchor + " and " + half, Full: anchor + " and " + full})
			}
		}
	}
	return cases, err
}

// listNouns returns the lemmas of the nouns of a text.
func (h *HalfTruthOptions) listNouns(text string) (nouns []string, err error) {
	tokens, err := h.Tag(text)
	for _, t := range tokens {
		if t.IsNoun() {
			nouns = append(nouns, strings.Clone(t.Lemma))
		}
	}
	return nouns, err
}

// listRelations returns the cases that add a relation to its subject: "a dog", "a dog on a sofa", "a dog
// under a sofa".
func (h *HalfTruthOptions) listRelations(p *schemas.Pool) (cases []halfTruth, err error) {
	for _, n := range p.Negatives {
		of := &p.Positives[n.Of]
		if of.Kind != schemas.KindRelation || n.Changed != schemas.ChangedRelation && n.Changed != schemas.ChangedAction {
			continue
		}
		full, half := trimExistence(of.Text), trimExistence(n.Text)
		anchor, err := h.sharedSubject(full, half)
		if err != nil {
			return nil, err
		}
		if anchor != "" {
			cases = append(cases, halfTruth{Anchor: anchor, Half: half, Full: full})
		}
	}
	return cases, nil
}

// sharedSubject returns the words that both texts begin with, up to their last noun; "" if they have no
// noun.
func (h *HalfTruthOptions) sharedSubject(full, half string) (string, error) {
	tokens, err := h.Tag(full)
	if err != nil {
		return "", err
	}
	end := 0
	for _, t := range tokens {
		if word := int(t.End); word >= len(full) || len(half) <= word || full[:word] != half[:word] || half[word] != ' ' || full[word] != ' ' {
			break
		} else if t.IsNoun() {
			end = word
		}
	}
	return full[:end], nil
}
