package main

import "capgraph/schemas"

// parseLine is a caption as parse prints it: the columns tokens, graph and
// confidence of graphs/.
type parseLine struct {
	Text       string      `json:"text"`
	Tokens     []parseItem `json:"tokens"`
	Graph      parseGraph  `json:"graph"`
	Parser     string      `json:"parser"`
	Confidence float32     `json:"confidence"`
}

type parseItem struct {
	Begin int32  `json:"begin"`
	End   int32  `json:"end"`
	Tag   string `json:"tag"`
	Lemma string `json:"lemma"`
}

type parseGraph struct {
	Objects   []parseObject   `json:"objects"`
	Relations []parseRelation `json:"relations"`
}

type parseObject struct {
	Name       string           `json:"name"`
	Head       string           `json:"head"`
	Quantity   string           `json:"quantity"`
	Attributes []parseAttribute `json:"attributes"`
	Begin      int32            `json:"begin"`
	End        int32            `json:"end"`
}

type parseAttribute struct {
	Text  string `json:"text"`
	Form  string `json:"form"`
	Begin int32  `json:"begin"`
	End   int32  `json:"end"`
}

type parseRelation struct {
	Subject   int32  `json:"subject"`
	Predicate string `json:"predicate"`
	Lemma     string `json:"lemma"`
	Object    int32  `json:"object"`
	Begin     int32  `json:"begin"`
	End       int32  `json:"end"`
}

func newParseLine(text string, p *schemas.Parsed) parseLine {
	l := parseLine{
		Text: text, Tokens: []parseItem{}, Parser: p.Parser, Confidence: p.Confidence,
		Graph: parseGraph{Objects: []parseObject{}, Relations: []parseRelation{}},
	}
	for _, t := range p.Tokens {
		l.Tokens = append(l.Tokens, parseItem(t))
	}
	for _, o := range p.Graph.Objects {
		x := parseObject{Name: o.Name, Head: o.Head, Quantity: o.Quantity, Attributes: []parseAttribute{}, Begin: o.Begin, End: o.End}
		for _, a := range o.Attributes {
			x.Attributes = append(x.Attributes, parseAttribute(a))
		}
		l.Graph.Objects = append(l.Graph.Objects, x)
	}
	for _, r := range p.Graph.Relations {
		l.Graph.Relations = append(l.Graph.Relations, parseRelation(r))
	}
	return l
}
