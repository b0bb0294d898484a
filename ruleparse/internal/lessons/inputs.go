package lessons

import (
	"encoding/json"
	"fmt"
	"io"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/tokens"
)

// Inputs is a caption as the network that labels its tokens sees it.
type Inputs struct {
	Text   string    `json:"text"`
	Tokens []string  `json:"tokens"` // in lower case
	Shapes []int     `json:"shapes"` // as a Lesson has them
	Begin  []int32   `json:"begin"`  // the byte in the text where each token begins
	End    []int32   `json:"end"`
	Rows   [][]int32 `json:"rows"` // of each token: convnet's Input.Rows
}

// WriteInputs reads captions, a JSON object with a text a line, and writes what the network
// sees of each.
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

// WriteWords writes the words of the lexicon in the order of their entries, a JSON string a
// line.
func WriteWords(r *tokens.Reader, out io.Writer) error {
	e := json.NewEncoder(out)
	for i := range r.Lexicon.Len() {
		if err := e.Encode(r.Lexicon.Word(int32(i))); err != nil {
			return fmt.Errorf("words: %w", err)
		}
	}
	return nil
}
