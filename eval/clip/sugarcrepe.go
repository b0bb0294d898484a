package clip

const sugarCrepeForm = `{"id": {"filename", "caption", "negative_caption"}, …}`

// parseSugarCrepe parses a file of SugarCrepe (Hsieh et al. 2023): a JSON object {"id": {"filename",
// "caption", "negative_caption"}}. Held-out scenes of capgraph's rendered world have this form too.
func parseSugarCrepe(data []byte) (pairs []Pair, err error) {
	type entry struct {
		Filename string `json:"filename"`
		Caption  string `json:"caption"`
		Negative string `json:"negative_caption"`
	}
	err = eachInObject(data, func(id string, e entry) error {
		pairs = append(pairs, Pair{ID: id, Image: Image{Name: e.Filename}, True: e.Caption, False: e.Negative})
		return requireFields("filename", e.Filename, "caption", e.Caption, "negative_caption", e.Negative)
	})
	if err != nil {
		return nil, err
	}
	return pairs, nil
}
