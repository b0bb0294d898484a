package negatives

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"capgraph/schemas"
)

// The types of whole negatives that an Author writes: those of SugarCrepe.
const (
	WholeReplaceObject    = "replace_object"
	WholeReplaceAttribute = "replace_attribute"
	WholeReplaceRelation  = "replace_relation"
	WholeSwapObjects      = "swap_objects"
	WholeSwapAttributes   = "swap_attributes"
	WholeAddObject        = "add_object"
	WholeAddAttribute     = "add_attribute"
)

// wholeTypes are all types, each with what it changes.
var wholeTypes = []struct{ name, changed string }{
	{WholeReplaceObject, schemas.ChangedObject},
	{WholeReplaceAttribute, schemas.ChangedAttribute},
	{WholeReplaceRelation, schemas.ChangedRelation},
	{WholeSwapObjects, schemas.ChangedOrder},
	{WholeSwapAttributes, schemas.ChangedOrder},
	{WholeAddObject, schemas.ChangedJoin},
	{WholeAddAttribute, schemas.ChangedAttribute},
}

// wholePrefix begins the methods of whole negatives.
const wholePrefix = "llm_"

// WholeTypes are the names of all types, in the order in which a model is asked for them.
func WholeTypes() []string {
	names := make([]string, len(wholeTypes))
	for i, t := range wholeTypes {
		names[i] = t.name
	}
	return names
}

// WholeMethods are the methods of whole negatives, each with what it changes.
func WholeMethods() map[string]string {
	changed := map[string]string{}
	for _, t := range wholeTypes {
		changed[wholePrefix+t.name] = t.changed
	}
	return changed
}

// WholeOptions are the settings under negatives.whole: which whole negatives a model
// is asked for beside replacements.
type WholeOptions struct {
	Share float64  `yaml:"share" doc:"share of the captions that the model is asked for whole negatives of, 0 to 1, with replacements: llm"`
	Types []string `yaml:"types" doc:"what they change; each is a method, llm_replace_object and so on"`
}

// Enabled reports whether anything is asked for.
func (o *WholeOptions) Enabled() bool { return o.Share > 0 && len(o.Types) > 0 }

// Selects reports whether a caption is in the share: by the hash of its text and the seed.
func (o *WholeOptions) Selects(seed uint64, text string) bool {
	if !o.Enabled() || text == "" {
		return false
	}
	return o.Share >= 1 || isInShare(o.Share, newRandom(seed, "whole", text))
}

// isInShare draws with the probability of a share.
func isInShare(share float64, r random) bool { return float64(r.Next()>>11) < math.Ldexp(share, 53) }

// validate says which setting is impossible, by its key below negatives:.
func (o *WholeOptions) validate() error {
	if !(o.Share >= 0 && o.Share <= 1) {
		return fmt.Errorf("whole.share: %g is not in 0 to 1", o.Share)
	}
	for i, t := range o.Types {
		if !slices.Contains(WholeTypes(), t) {
			return fmt.Errorf("whole.types: unknown type %q (want some of %s)", t, strings.Join(WholeTypes(), ", "))
		}
		if slices.Contains(o.Types[:i], t) {
			return fmt.Errorf("whole.types: %s stands there twice", t)
		}
	}
	return nil
}

// Whole is a text that an Author wrote to be false of an image: a caption, with one
// change of a type.
type Whole struct{ Type, Text string }

// Author writes whole negatives; what is not false, changes something else than it was
// asked to or is no caption is filtered out afterwards. Implementations are safe for
// concurrent use.
type Author interface {
	// Write sets out[i] to what it writes for captions[i], which may be nothing; both have
	// the same length. An error concerns the whole batch.
	Write(ctx context.Context, captions []string, out [][]Whole) error
}

// Reader parses texts. Implementations are safe for concurrent use.
type Reader interface {
	// Name is the name and the version of the parser.
	Name() string
	// ParseText fills out from one text.
	ParseText(text string, out *schemas.Parsed)
}

// WithAuthor has a generator also make whole negatives: written by a, and read by r.
// Of the captions those are asked for that opts.Whole takes.
func (g *Generator) WithAuthor(a Author, r Reader) *Generator {
	g.author, g.reader = a, r
	return g
}
