package whole

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"capgraph/negatives/grammar"
	"capgraph/schemas"
)

// The types of negatives that an Author writes, named as in SugarCrepe.
const (
	ReplaceObject    = "replace_object"
	ReplaceAttribute = "replace_attribute"
	ReplaceRelation  = "replace_relation"
	SwapObjects      = "swap_objects"
	SwapAttributes   = "swap_attributes"
	AddObject        = "add_object"
	AddAttribute     = "add_attribute"
)

// types has all types, each with the part that it changes.
var types = []struct{ name, changed string }{
	{ReplaceObject, schemas.ChangedObject},
	{ReplaceAttribute, schemas.ChangedAttribute},
	{ReplaceRelation, schemas.ChangedRelation},
	{SwapObjects, schemas.ChangedOrder},
	{SwapAttributes, schemas.ChangedOrder},
	{AddObject, schemas.ChangedJoin},
	{AddAttribute, schemas.ChangedAttribute},
}

// Prefix begins the names of the methods of whole negatives.
const Prefix = "llm_"

// Types returns the names of all types, in the order in which a model is asked for them.
func Types() []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.name
	}
	return names
}

// Methods returns the methods of whole negatives, each with the part that it changes.
func Methods() map[string]string {
	changed := map[string]string{}
	for _, t := range types {
		changed[Prefix+t.name] = t.changed
	}
	return changed
}

// Options are the settings under negatives.whole: which whole negatives a model is asked for.
type Options struct {
	Share float64  `yaml:"share" doc:"share of the captions that the model is asked for whole negatives of, 0 to 1, with replacements: llm"`
	Types []string `yaml:"types" doc:"what they change; each is a method, llm_replace_object and so on"`
}

// Enabled reports whether any whole negatives are asked for.
func (o *Options) Enabled() bool { return o.Share > 0 && len(o.Types) > 0 }

// Selects reports whether a caption is in the share that is asked for. A hash of its text and the
// seed decides.
func (o *Options) Selects(seed uint64, text string) bool {
	if !o.Enabled() || text == "" {
		return false
	}
	return o.Share >= 1 || grammar.IsInShare(o.Share, grammar.NewRandom(seed, "whole", text))
}

// Validate returns an error that names an impossible setting by its key below negatives:.
func (o *Options) Validate() error {
	if !(o.Share >= 0 && o.Share <= 1) {
		return fmt.Errorf("whole.share: %g is not in 0 to 1", o.Share)
	}
	for i, t := range o.Types {
		if !slices.Contains(Types(), t) {
			return fmt.Errorf("whole.types: unknown type %q (want some of %s)", t, strings.Join(Types(), ", "))
		}
		if slices.Contains(o.Types[:i], t) {
			return fmt.Errorf("whole.types: %s stands there twice", t)
		}
	}
	return nil
}

// Negative is a text that an Author wrote: a caption with one change of a type, which should make
// it false of the image.
type Negative struct{ Type, Text string }

// Author writes whole negatives. Texts that are not false, make another change or are not captions
// are filtered out afterwards. Implementations are safe for concurrent use.
type Author interface {
	// Write sets out[i] to the negatives for captions[i], which may be none; out and captions have
	// the same length. An error concerns the whole batch.
	Write(ctx context.Context, captions []string, out [][]Negative) error
}

// Reader parses texts. Implementations are safe for concurrent use.
type Reader interface {
	// Name is the name and the version of the parser.
	Name() string
	// ParseText parses a text into out.
	ParseText(text string, out *schemas.Parsed)
}

// Changes returns the part that a negative of a type changes, one of schemas.Changed…, or "" for an
// unknown type.
func Changes(kind string) string {
	for _, t := range types {
		if t.name == kind {
			return t.changed
		}
	}
	return ""
}
