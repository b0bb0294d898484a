package clip

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

const vlCheckListForm = `[[image, {"POS": […], "NEG": […]}], …]`

// parseVLCheckList parses a file of VL-CheckList (Zhao et al. 2022). As in its script, the first
// text of POS is the true one and the first of NEG the false one.
func parseVLCheckList(data []byte) (b Benchmark, err error) {
	b.Metrics = pairMetrics()
	err = eachInList(data, func(i int, e []json.RawMessage) error {
		var image string
		var texts struct{ POS, NEG []string }
		if len(e) != 2 {
			return fmt.Errorf("has %d parts, not an image and its texts", len(e))
		}
		if err := errors.Join(json.Unmarshal(e[0], &image), json.Unmarshal(e[1], &texts)); err != nil {
			return err
		}
		if len(texts.POS) == 0 || len(texts.NEG) == 0 {
			return errors.New("has no text in POS or in NEG")
		}
		b.Cases = append(b.Cases, Pair{ID: strconv.Itoa(i), Image: Image{Name: image}, True: texts.POS[0], False: texts.NEG[0]}.Case())
		return requireFields("image", image, "text in POS", texts.POS[0], "text in NEG", texts.NEG[0])
	})
	return b, err
}
