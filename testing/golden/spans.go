package golden

// Spans is a text of the tiny model, the tokens of its words, and of each layer from
// which spans are alone how near each span is to what it is in the text: by its first
// word and its length in words less 1.
type Spans struct {
	Words  [][]int32
	Layers [][][]float64
}

// ReadSpans returns the golden values of spans.
func ReadSpans() ([]Spans, error) {
	var all []Spans
	return all, unmarshal("spans.json", &all)
}
