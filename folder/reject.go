package folder

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Reject is a row that a pass left out. Reason is a fixed word, Detail the text or value that it
// was found in.
type Reject struct {
	Source    string `json:"source"`
	SourceRow int64  `json:"source_row"`
	Key       string `json:"key"`
	ImageKey  string `json:"image_key"`
	Caption   string `json:"caption"`
	Stage     string `json:"stage"`
	Reason    string `json:"reason"`
	Detail    string `json:"detail"`
}

// MaxRejected is the largest number of bytes that a reject keeps of each of its texts.
const MaxRejected = 8 << 10

// Clip cuts the texts of a reject to MaxRejected bytes, and notes that in its detail.
func (r *Reject) Clip() {
	for _, t := range []struct {
		name string
		text *string
	}{{"key", &r.Key}, {"image_key", &r.ImageKey}, {"caption", &r.Caption}, {"detail", &r.Detail}} {
		size := len(*t.text)
		if size <= MaxRejected {
			continue
		}
		kept := MaxRejected
		for !utf8.RuneStart((*t.text)[kept]) {
			kept--
		}
		*t.text = strings.Clone((*t.text)[:kept])
		note := fmt.Sprintf("%d of %d bytes of the %s are kept", kept, size, t.name)
		if r.Detail != "" {
			note = r.Detail + "; " + note
		}
		r.Detail = note
	}
}
