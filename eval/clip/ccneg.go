package clip

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
)

const ccNegForm = `ccneg_preprocessed.pt as JSON: {"image_paths": […], "annotations": [{"json": {"caption"}, "sop_data": {"negative-prompt"}}, …]}`

// parseCCNeg parses CC-Neg (Singh et al. 2024): a caption, and one that denies a part of it. As in
// CCNegEvalDataset of jaisidhsingh/CoN-CLIP, src/data/evaluation_datasets.py, commas of the false caption
// are left out; that class takes the last 40,000 entries. Images are named by the end of their path.
func parseCCNeg(data []byte) (b Benchmark, err error) {
	type entry struct {
		Of struct {
			Caption string `json:"caption"`
		} `json:"json"`
		Data struct {
			Negative string `json:"negative-prompt"`
		} `json:"sop_data"`
	}
	var file struct {
		Images      []string `json:"image_paths"`
		Annotations []entry  `json:"annotations"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return b, err
	}
	if len(file.Images) != len(file.Annotations) {
		return b, fmt.Errorf("has %d image_paths and %d annotations", len(file.Images), len(file.Annotations))
	}
	b.Metrics = pairMetrics()
	for i, e := range file.Annotations {
		if err := requireFields("image_paths", file.Images[i], "json.caption", e.Of.Caption, "sop_data.negative-prompt", e.Data.Negative); err != nil {
			return b, fmt.Errorf("entry %d: %w", i, err)
		}
		pair := Pair{ID: strconv.Itoa(i), Image: Image{Name: path.Base(file.Images[i])}, True: e.Of.Caption, False: strings.ReplaceAll(e.Data.Negative, ",", "")}
		b.Cases = append(b.Cases, pair.Case())
	}
	return b, nil
}
