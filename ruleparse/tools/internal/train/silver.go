package train

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/ruleparse/tools/internal/examples"
	"capgraph/ruleparse/tools/internal/lessons"
)

// silverMagic begins a file of a teacher's answers. The SHA-256 of the questions follows, in
// lower-case hexadecimal with a line feed.
//
// Then each caption has three bytes for each token: the label, and half a byte for the probability
// of each label in steps of 1/15; the number of linked attributes, and for each its node and its
// object's node; the number of relations, and for each its nodes and the index of its option.
// Numbers are unsigned varints. The file is compressed with gzip.
const silverMagic = "capgraph silver 1\n"

// readSilver returns examples from a teacher's answers: the captions that it was asked about, with
// its labels, links and relations.
func readSilver(p *tokens.Reader, data []byte, texts []string) ([]*examples.Example, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("silver: %w", err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("silver: %w", err)
	}
	hash := sha256.New()
	if err := lessons.WriteQuestions(p, texts, hash); err != nil {
		return nil, err
	}
	head := fmt.Sprintf("%s%x\n", silverMagic, hash.Sum(nil))
	if !strings.HasPrefix(string(b[:min(len(b), len(head))]), head) {
		return nil, fmt.Errorf("silver: the teacher was asked about other captions, or otherwise tagged ones, than those in the folder of data")
	}
	r := silverReader{b: b[len(head):]}
	out := make([]*examples.Example, len(texts))
	for i, t := range texts {
		if out[i], err = r.readExample(p, t); err != nil {
			return nil, fmt.Errorf("silver: caption %d: %w", i, err)
		}
	}
	if len(r.b) > 0 {
		return nil, fmt.Errorf("silver: %d bytes too many", len(r.b))
	}
	return out, nil
}

type silverReader struct{ b []byte }

func (r *silverReader) readNumber(below int) (int, error) {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v >= uint64(max(0, below)) {
		return 0, fmt.Errorf("a number is cut off or not below %d", below)
	}
	r.b = r.b[n:]
	return int(v), nil
}

func (r *silverReader) readExample(p *tokens.Reader, text string) (*examples.Example, error) {
	var w tokens.Text
	p.Read(&w, text)
	if len(r.b) < 3*len(w.Tokens) {
		return nil, fmt.Errorf("cut off")
	}
	var labels []int
	var soft [][analysis.LabelCount]float32
	for i := range w.Tokens {
		bits := uint32(r.b[3*i])<<16 | uint32(r.b[3*i+1])<<8 | uint32(r.b[3*i+2])
		labels = append(labels, int(bits>>20))
		var q [analysis.LabelCount]float32
		var sum float32
		for l := range q {
			q[l] = float32(bits >> (16 - 4*l) & 15)
			sum += q[l]
		}
		for l := range q {
			q[l] /= max(1, sum)
		}
		soft = append(soft, q)
	}
	r.b = r.b[3*len(w.Tokens):]
	x, err := lessons.ReadLabelled(p, text, labels)
	if err != nil {
		return nil, err
	}
	x.SoftLabels = soft
	return x, r.readDecisions(x)
}

// readDecisions reads the links and edges of x.
func (r *silverReader) readDecisions(x *examples.Example) error {
	n, err := r.readNumber(len(x.Nodes) + 1)
	if err != nil {
		return err
	}
	for range n {
		k, err := r.readNumber(len(x.Nodes))
		if err != nil {
			return err
		}
		o, err := r.readNumber(len(x.Nodes))
		if err != nil {
			return err
		}
		x.Links = append(x.Links, [2]int{k, o})
	}
	if n, err = r.readNumber(1 << 20); err != nil {
		return err
	}
	for range n {
		var e examples.Edge
		if e.A, err = r.readNumber(len(x.Nodes)); err != nil {
			return err
		}
		if e.B, err = r.readNumber(len(x.Nodes)); err != nil {
			return err
		}
		if e.A >= e.B {
			return fmt.Errorf("a relation of node %d with node %d before it", e.A, e.B)
		}
		options := x.Candidates(e.A, e.B)
		k, err := r.readNumber(len(options))
		if err != nil {
			return err
		}
		e.Candidate = options[k]
		x.Edges = append(x.Edges, e)
	}
	return nil
}
