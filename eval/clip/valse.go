package clip

const valseForm = `{"id": {"image_file", "caption", "foil", "mturk": {"caption"}}, …}`

// valseVotes is how many of three annotators must have chosen the caption for a case to be valid.
const valseVotes = 2

// parseVALSE parses the valid cases of a file of VALSE (Parcalabescu et al. 2022). Accuracy is the
// paper's pairwise acc_r.
func parseVALSE(data []byte) (b Benchmark, err error) {
	type entry struct {
		Image   string `json:"image_file"`
		Caption string `json:"caption"`
		Foil    string `json:"foil"`
		Kind    string `json:"linguistic_phenomena"`
		Votes   struct {
			Caption float64 `json:"caption"`
		} `json:"mturk"`
	}
	b.Metrics = pairMetrics()
	err = eachInObject(data, func(id string, e entry) error {
		if e.Votes.Caption >= valseVotes {
			c := Pair{ID: id, Image: Image{Name: e.Image}, True: e.Caption, False: e.Foil}.Case()
			c.Part = e.Kind
			b.Cases = append(b.Cases, c)
		}
		return requireFields("image_file", e.Image, "caption", e.Caption, "foil", e.Foil)
	})
	return b, err
}
