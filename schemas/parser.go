package schemas

import "context"

// Parsed is the result of parsing one text.
type Parsed struct {
	Tokens []Token
	Graph  SceneGraph
	// Parser is the name and version of what made the graph.
	Parser string
	// Confidence orders graphs: the lower, the likelier wrong. In [0, 1].
	Confidence float32
	// Reject, if it is not empty, is the reason why there is no graph; Detail
	// says more in words.
	Reject, Detail string
	// FellBack, if it is not empty, is the reason why the graph is another
	// parser's.
	FellBack string
	// Unused are the phrases that were given and are no object of the graph.
	Unused []UnusedPhrase
}

// Phrase is a phrase that is given with a text: one of its objects. Begin and End are its place, in bytes; NoOffset
// if it is where its words are. Phrases of one Entity, if it is not 0, name one thing.
type Phrase struct {
	Text               string
	Begin, End, Entity int32
}

// UnusedPhrase is a phrase that was given and is no object of the graph, with the reason.
type UnusedPhrase struct{ Text, Reason string }

// The reasons of unused phrases.
const (
	PhraseNotInText  = "not in the caption"
	PhraseInAnother  = "inside another phrase"
	PhraseUnresolved = "a pronoun without a referent"
)

// Doubtful is the confidence below which a graph is doubtful: of the rule parser's such
// graphs of annotated captions fewer than half of the objects, attributes and relations are right
// (docs/parser.md).
const Doubtful = 0.1

// Reset empties p and keeps its memory.
func (p *Parsed) Reset() {
	p.Tokens = p.Tokens[:0]
	p.Graph.Reset()
	p.Unused = p.Unused[:0]
	p.Parser, p.Confidence, p.Reject, p.Detail, p.FellBack = "", 0, "", "", ""
}

// Parser turns cleaned captions into scene graphs. Implementations are safe
// for concurrent use.
type Parser interface {
	// Parse fills out[i] from texts[i]; both have the same length. It reuses
	// the memory of out. An error concerns the whole batch (an endpoint that is
	// gone, a cancelled context); what concerns one text is its Reject.
	Parse(ctx context.Context, texts []string, out []Parsed) error
}
