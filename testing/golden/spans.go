package golden

// Spans is a text of the tiny model with the tokens of its words. For each layer from which spans
// are encoded alone, it has the similarity of each span's encoding to its encoding within the text,
// by the span's first word and its length in words minus 1.
type Spans struct {
	Words  [][]int32
	Layers [][][]float64
}

// ReadSpans returns the golden values of spans.
func ReadSpans() ([]Spans, error) {
	var all []Spans
	return all, readJSON("spans.json", &all)
}
