package train

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"capgraph/store"
	"capgraph/train/loader"
)

// LeftOutFile lists, in the output folder, the images that were left out: key and
// reason, each once.
const LeftOutFile = "left_out.tsv"

// The reasons why an image is left out.
const (
	imageMissing = "missing"
	imageBroken  = "broken"
	noPartner    = "without a similar image" // it stays, its partner is left out
)

// leftOut keeps the file of images that are left out. It grows in place, beside
// metrics.jsonl.
type leftOut struct {
	file *os.File
	seen map[string]bool
}

// openLeftOut opens the file of a training, to go on with it where resumed is set.
func openLeftOut(dir string, resumed bool) (*leftOut, error) {
	name := filepath.Join(filepath.FromSlash(dir), LeftOutFile)
	l := &leftOut{seen: map[string]bool{}}
	mode := os.O_RDWR | os.O_CREATE | os.O_APPEND
	if !resumed {
		mode |= os.O_TRUNC
	}
	var err error
	if l.file, err = os.OpenFile(name, mode, 0o666); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(l.file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		key, _, _ := strings.Cut(lines.Text(), "\t")
		l.seen[key] = true
	}
	if err := lines.Err(); err != nil {
		l.file.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return l, nil
}

// add notes an image, once.
func (l *leftOut) add(key string, err error) error {
	if l.seen[key] {
		return nil
	}
	l.seen[key] = true
	reason := strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(err.Error())
	_, wrote := fmt.Fprintf(l.file, "%s\t%s\n", strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(key), reason)
	return wrote
}

// reasonOf is what the error of an image counts as.
func reasonOf(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return imageMissing
	}
	return imageBroken
}

// usable are the samples of a batch whose images are there; the others are counted
// and noted. A step needs one at least.
// The error is ErrStopped where this process, by stop, or another was told to stop.
func (t *training) usable(batch *loader.Batch, stop bool) ([]*loader.Sample, error) {
	ready, missing, stopped, err := t.stepper.agree(batch, stop)
	if err != nil {
		return nil, err
	}
	if stopped {
		return nil, ErrStopped
	}
	if t.state.LeftOut == nil {
		t.state.LeftOut = map[string]int64{}
	}
	for _, s := range missing {
		t.state.LeftOut[reasonOf(s.Err)]++
		if t.leads() {
			if err := t.leftOut.add(s.Key, s.Err); err != nil {
				return nil, err
			}
		}
	}
	for _, s := range ready {
		if s.PartnerErr != nil {
			t.state.LeftOut[noPartner]++
		}
	}
	if len(ready) == 0 {
		first := missing[0]
		return nil, fmt.Errorf("step %d: none of the %d images of its batch can be used: %s: %w; see that data.corpora.images names where they lie (%s lists them)",
			t.optimiser.Steps()+1, len(missing), first.Key, first.Err, store.Join(t.recipe.Output.Dir, LeftOutFile))
	}
	return ready, nil
}
