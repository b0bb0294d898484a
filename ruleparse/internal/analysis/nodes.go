package analysis

import (
	"capgraph/ruleparse/internal/linear"
	"capgraph/ruleparse/internal/tokens"
)

// Node is a range of tokens that is an object or an attribute.
type Node struct {
	From, To  int32
	Attribute bool
	head      uint32 // hash of the lemma of its last token
	Name      uint32 // hash of all its lemmas
	Class     uint32 // WordNet's class of its last token
	Person    bool   // its last token names one
	Alive     bool   // its last token names a person, an animal or a group
}

// Begins is where the attributes begin that stand right before object i, or the
// object itself.
func (x *Analysis) Begins(i int) int32 {
	begin := x.Nodes[i].From
	for k := i - 1; k >= 0 && x.Nodes[k].Attribute && x.Nodes[k].To == begin; k-- {
		begin = x.Nodes[k].From
	}
	return begin
}

// AppendNodes reads nodes off labels.
func AppendNodes(out []Node, ts []tokens.Token, labels []uint8) []Node {
	for i := 0; i < len(ts); i++ {
		l := labels[i]
		if l != BeginObject && l != BeginAttribute {
			continue
		}
		end := i + 1
		for end < len(ts) && labels[end] == l+1 {
			end++
		}
		out = append(out, NewNode(ts, i, end, l == BeginAttribute))
	}
	return out
}

// NewNode is the node of tokens [from, to).
func NewNode(ts []tokens.Token, from, to int, attribute bool) Node {
	n := Node{From: int32(from), To: int32(to), Attribute: attribute, head: ts[to-1].Lemma, Class: uint32(ts[to-1].Class), Person: ts[to-1].Person(), Alive: ts[to-1].Alive()}
	for _, t := range ts[from:to] {
		n.Name = linear.Join(n.Name, t.Lemma)
	}
	return n
}
