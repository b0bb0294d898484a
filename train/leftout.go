package train

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"capgraph/store"
	"capgraph/train/loader"
)

// LeftOutFile is the name, in the output folder, of the list of images that were left out, with
// columns image_key and reason. Each image is listed once.
const LeftOutFile = "left_out.tsv"

// The reasons why an image is left out.
const (
	imageMissing = "missing"
	imageBroken  = "broken"
	noPartner    = "without a similar image" // the image is used, without a partner
	cutNegative  = "negatives equal to their positive up to the context length"
)

// leftOutLog appends images that are left out to LeftOutFile.
type leftOutLog struct {
	file *os.File
	seen map[string]bool
}

// openLeftOut opens LeftOutFile in dir. If resumed is set, lines are appended to the existing ones;
// otherwise the file is emptied.
func openLeftOut(dir string, resumed bool) (*leftOutLog, error) {
	name := filepath.Join(filepath.FromSlash(dir), LeftOutFile)
	l := &leftOutLog{seen: map[string]bool{}}
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

// addImage adds a line for an image, unless it has one.
func (l *leftOutLog) addImage(key string, err error) error {
	if l.seen[key] {
		return nil
	}
	l.seen[key] = true
	reason := strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(err.Error())
	_, wrote := fmt.Fprintf(l.file, "%s\t%s\n", strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(key), reason)
	return wrote
}

// reasonOf returns the reason under which an image with this error is counted.
func reasonOf(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return imageMissing
	}
	return imageBroken
}

// usableSamples returns the samples of a batch whose images could be read; it is an error if there
// are none. The others are counted and listed. The error is ErrStopped if this process (see stop)
// or another one was asked to stop.
func (t *training) usableSamples(batch *loader.Batch, stop bool) ([]*loader.Sample, error) {
	ready, missing, stopped, err := t.stepper.parallel.agreeOnSamples(batch, stop)
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
		if t.isLeader() {
			if err := t.leftOut.addImage(cmp.Or(s.ImageKey, s.Key), s.Err); err != nil {
				return nil, err
			}
		}
	}
	if n := t.state.LeftOut[imageMissing] + t.state.LeftOut[imageBroken]; len(missing) > 0 {
		last := missing[len(missing)-1]
		if most := t.recipe.Data.MaxLeftOut * max(float64(t.loader.Images()), float64(t.state.Samples)); float64(n) > max(1, most) {
			return nil, fmt.Errorf("step %d: %d images are missing or broken so far, more than data.max_left_out (%g) allows: the last is %s: %w; mend them (%s lists them), or allow more",
				t.optimiser.Steps()+1, n, t.recipe.Data.MaxLeftOut, last.Key, last.Err, store.Join(t.recipe.Output.Dir, LeftOutFile))
		}
	}
	for _, s := range ready {
		if s.Cut > 0 {
			t.state.LeftOut[cutNegative] += int64(s.Cut)
		}
		if s.PartnerErr != nil {
			t.state.LeftOut[noPartner]++
		}
	}
	if len(ready) == 0 {
		first := missing[0]
		return nil, fmt.Errorf("step %d: none of the %d images of its batch can be used: %s: %w; check that data.corpora.images names their files (%s lists them)",
			t.optimiser.Steps()+1, len(missing), first.Key, first.Err, store.Join(t.recipe.Output.Dir, LeftOutFile))
	}
	return ready, nil
}
