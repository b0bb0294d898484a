package synth

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"

	"capgraph/store"
)

// pair is an image with a true and a false caption, in SugarCrepe's words.
type pair struct {
	Filename string `json:"filename"`
	Caption  string `json:"caption"`
	Negative string `json:"negative_caption"`
}

// writeHeldout writes the images of the held-out scenes, and their captions.
func (w World) writeHeldout(ctx context.Context, files store.Store, dir string) error {
	var text bytes.Buffer
	text.WriteByte('{')
	err := w.render(ctx, 0, w.Heldout, w.HeldoutScene, func(i int, r rendered) error {
		p := pair{fmt.Sprintf("%06d.png", i), r.scene.Caption(), r.scene.Swapped().Caption()}
		data, err := json.Marshal(p)
		if err != nil {
			return err
		}
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, "\n  \"%d\": %s", i, data)
		return store.ReplaceFile(files, path.Join(HeldoutDir(dir), p.Filename), r.png)
	})
	if err != nil {
		return err
	}
	text.WriteString("\n}\n")
	return store.ReplaceFile(files, PairsFile(dir), text.Bytes())
}
