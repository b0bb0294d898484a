package golden

// Spans is a text of the tiny model, the tokens of its words, and, for each layer from which spans
// are alone, the similarity of each span to itself in the text: by its first word and its length in
// words less 1.
type Spans struct {
	Words  [][]int32
	Layers [][][]float64
}

// ReadSpans returns the golden values of spans.
func ReadSpans() ([]Spans, error) {
	var all []Spans
	return all, readJSON("spans.json", &all)
}
