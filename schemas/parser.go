package schemas

import "context"

// Parsed is the result of parsing one text.
type Parsed struct {
	Tokens []Token
	Graph  SceneGraph
	// Parser is the name and version of the parser that made the graph.
	Parser string
	// Confidence ranks graphs, from 0 to 1: the lower, the more likely wrong.
	Confidence float32
	// Reject is the reason why there is no graph, or ""; Detail describes it.
	Reject, Detail string
	// FellBack is the reason why another parser made the graph, or "".
	FellBack string
	// Unused are the given phrases that are not objects of the graph.
	Unused []UnusedPhrase
}

// Phrase is a phrase of a text that is given as one of its objects. Begin and End are its byte offsets; NoOffset means
// the place where its words occur. Phrases with the same Entity, if not 0, name the same thing.
type Phrase struct {
	Text               string
	Begin, End, Entity int32
}

// UnusedPhrase is a given phrase that is not an object of the graph, with the reason.
type UnusedPhrase struct{ Text, Reason string }

// The reasons of unused phrases.
const (
	PhraseNotInText  = "not in the caption"
	PhraseInAnother  = "inside another phrase"
	PhraseUnresolved = "a pronoun without a referent"
)

// Doubtful is the confidence below which a graph is doubtful. In annotated captions, fewer than half of the objects,
// attributes and relations of such graphs by the rule parser are right (docs/parser.md).
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
	// Parse sets out[i] to the graph of texts[i]; both have the same length. It reuses the memory of out. An error
	// concerns the whole batch (an unreachable endpoint, a cancelled context); a fault of one text is its Reject.
	Parse(ctx context.Context, texts []string, out []Parsed) error
}
