package curate

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"capgraph/clean"
	"capgraph/store"
)

// ReasonExcluded is the reason of a row that a list of the user excludes.
const ReasonExcluded = "excluded"

// The values of Exclude.From.
const (
	FromTexts  = "texts"  // the rows stay in graphs/
	FromGraphs = "graphs" // neither graphs/ nor texts/ has the rows
)

// Exclude has the settings under exclude: in pipeline.yaml. By default nothing is left out.
type Exclude struct {
	Keys   string `yaml:"keys" doc:"file of one key a line, of rows to leave out; empty for none"`
	Images string `yaml:"images" doc:"file of one image_key a line, of images to leave out with all their captions; empty for none"`
	From   string `yaml:"from" doc:"texts: they stay in graphs/; graphs: they are in neither"`
}

// NothingExcluded returns the default settings, which exclude nothing.
func NothingExcluded() Exclude { return Exclude{From: FromTexts} }

// Validate returns an error that names the impossible setting by its key below exclude:.
func (e *Exclude) Validate() error {
	if e.From != FromTexts && e.From != FromGraphs {
		return fmt.Errorf("from: %q is none of %s, %s", e.From, FromTexts, FromGraphs)
	}
	return nil
}

// maxKeys is the greatest size of a list of keys, in bytes.
const maxKeys = 4 << 30

// Excluded has the keys of the excluded rows and images. The zero value excludes nothing. It is safe for
// concurrent use.
type Excluded struct {
	keys, images map[string]struct{}
	lists        *Lists
}

// Lists identifies the contents of the lists: the SHA-256 of each file in hexadecimal; "" if there
// is no list.
type Lists struct {
	Keys   string `yaml:"keys,omitempty"`
	Images string `yaml:"images,omitempty"`
}

// NewExcluded reads the lists that e names. An error begins with the key below exclude: of the
// file.
func NewExcluded(s store.Store, e Exclude) (*Excluded, error) {
	x := new(Excluded)
	if e.Keys == "" && e.Images == "" {
		return x, nil
	}
	x.lists = new(Lists)
	for _, l := range []struct {
		setting, path string
		keys          *map[string]struct{}
		sum           *string
	}{
		{"keys", e.Keys, &x.keys, &x.lists.Keys},
		{"images", e.Images, &x.images, &x.lists.Images},
	} {
		if l.path == "" {
			continue
		}
		data, err := store.ReadFile(s, l.path, maxKeys)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.setting, err)
		}
		if *l.keys, err = parseKeys(data); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", l.setting, l.path, err)
		}
		*l.sum = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return x, nil
}

// parseKeys returns the lines of a list as they are, without empty ones.
func parseKeys(data []byte) (map[string]struct{}, error) {
	lines, err := clean.Lines(data)
	if err != nil {
		return nil, err
	}
	keys := map[string]struct{}{}
	for _, line := range lines {
		if line != "" {
			keys[line] = struct{}{}
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("holds no key (write one a line, or leave the setting out)")
	}
	return keys, nil
}

// Lists identifies the lists that were read; nil if there were none.
func (x *Excluded) Lists() *Lists { return x.lists }

// Has reports whether a list has the key of the row or of its image.
func (x *Excluded) Has(key, imageKey string) bool {
	if _, there := x.keys[key]; there {
		return true
	}
	_, there := x.images[imageKey]
	return there
}
