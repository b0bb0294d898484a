package lessons

import (
	"bufio"
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
	d, w := json.NewDecoder(in), bufio.NewWriter(out)
	e := json.NewEncoder(w)
	var t tokens.Text
	for {
		var x Inputs
		switch err := d.Decode(&x); err {
		case nil:
		case io.EOF:
			return w.Flush()
		default:
			return fmt.Errorf("inputs: %w", err)
		}
		r.Read(&t, x.Text)
		x = Inputs{Text: x.Text, Tokens: words(t.Tokens), Shapes: shapes(t.Tokens)}
		for i := range t.Tokens {
			input := analysis.NetworkInput(&t.Tokens[i])
			x.Rows = append(x.Rows, input.Rows())
			x.Begin, x.End = append(x.Begin, t.Tokens[i].Begin), append(x.End, t.Tokens[i].End)
		}
		if err := e.Encode(x); err != nil {
			return fmt.Errorf("inputs: %w", err)
		}
	}
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
