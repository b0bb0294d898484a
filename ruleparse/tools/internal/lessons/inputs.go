package lessons

import (
	"encoding/json"
	"fmt"
	"io"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/tokens"
)

// Inputs is a caption in the form that the network for labels sees.
type Inputs struct {
	Text   string    `json:"text"`
	Tokens []string  `json:"tokens"` // in lower case
	Shapes []int     `json:"shapes"` // as in a Lesson
	Begin  []int32   `json:"begin"`  // byte in the text at which each token begins
	End    []int32   `json:"end"`
	Rows   [][]int32 `json:"rows"` // by token: convnet's Input.Rows
}

// WriteInputs reads captions, one a line as a JSON object with a text, and writes the network's
// input for each.
func WriteInputs(r *tokens.Reader, in io.Reader, out io.Writer) error {
	var t tokens.Text
	err := answerEach(in, out, func(x Inputs) (Inputs, error) {
		r.Read(&t, x.Text)
		x = Inputs{Text: x.Text, Tokens: lowerWords(t.Tokens), Shapes: tokenShapes(t.Tokens)}
		for i := range t.Tokens {
			input := analysis.NetworkInput(&t.Tokens[i])
			x.Rows = append(x.Rows, input.Rows())
			x.Begin, x.End = append(x.Begin, t.Tokens[i].Begin), append(x.End, t.Tokens[i].End)
		}
		return x, nil
	})
	if err != nil {
		return fmt.Errorf("inputs: %w", err)
	}
	return nil
}

// WriteWords writes the words of the lexicon in the order of their entries, one a line as a JSON
// string.
func WriteWords(r *tokens.Reader, out io.Writer) error {
	e := json.NewEncoder(out)
	for i := range r.Lexicon.Len() {
		if err := e.Encode(r.Lexicon.Word(int32(i))); err != nil {
			return fmt.Errorf("words: %w", err)
		}
	}
	return nil
}
