package worker

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"golang.org/x/sync/errgroup"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/stages"
	"capgraph/store"
)

// server keeps the makers of earlier requests.
type server struct {
	makers []*knownMaker // the last used one comes first
}

// maxMakers is the most makers that are kept: each has a vocabulary in memory.
const maxMakers = 4

// knownMaker is a maker, and the call that it was made for.
type knownMaker struct {
	of    string
	maker *stages.Maker
}

// findMaker returns the maker for a call. It makes one if none is kept.
func (s *server) findMaker(c *call) (*stages.Maker, error) {
	out := folder.Folder{Store: store.Local{}, Dir: c.Vocabulary}
	name := c.Name
	if name == callUnits {
		name = callTexts
	}
	of := strings.Join(append([]string{name, c.Vocabulary}, c.Set...), "\x00")
	if c.Vocabulary != "" { // a later run may have replaced the vocabulary there
		plan, err := out.ReadPlan(folder.PassBalance)
		if err != nil {
			return nil, err
		}
		if plan != nil {
			of += "\x00" + plan.Hash()
		}
	}
	at := slices.IndexFunc(s.makers, func(m *knownMaker) bool { return m.of == of })
	if at < 0 {
		made, err := newMaker(c, out)
		if err != nil {
			return nil, err
		}
		s.makers = append(s.makers[:min(len(s.makers), maxMakers-1)], &knownMaker{of, made})
		at = len(s.makers) - 1
	}
	found := s.makers[at]
	s.makers = slices.Insert(slices.Delete(s.makers, at, at+1), 0, found)
	return found.maker, nil
}

func newMaker(c *call, out folder.Folder) (*stages.Maker, error) {
	switch c.Name {
	case callGraphs:
		settings, err := loadSettings(c.Set)
		if err != nil {
			return nil, err
		}
		return stages.NewMaker(settings, nil)
	case callTexts, callUnits:
		return NewTextMaker(c.Set, out)
	}
	return nil, fmt.Errorf("no call is named %q", c.Name)
}

// NewTextMaker returns a maker of texts with the settings sets, "key=value" of pipeline.yaml. Its
// vocabulary is from the output folder out of a run, or of public captions if out.Dir is "".
func NewTextMaker(sets []string, out folder.Folder) (*stages.Maker, error) {
	settings, err := loadSettings(sets)
	if err != nil {
		return nil, err
	}
	if out.Dir == "" {
		return stages.NewMaker(settings, stages.PublicCounts)
	}
	counts, err := stages.FolderCounts(out)
	if err != nil {
		return nil, err
	}
	return stages.NewMaker(settings, counts)
}

// sections are the sections of pipeline.yaml that affect graphs and texts made in memory.
var sections = []string{"seed", "clean", "filter", "parse", "texts", "negatives"}

// loadSettings returns the default settings, changed by sets.
func loadSettings(sets []string) (*config.Config, error) {
	for _, set := range sets {
		name, _, _ := strings.Cut(set, "=")
		section, _, _ := strings.Cut(name, ".")
		if !slices.Contains(sections, section) {
			return nil, fmt.Errorf("%s: captions in memory have settings of %s only", name, strings.Join(sections, ", "))
		}
	}
	c, err := config.Load("", append([]string{"source.format=jsonl", "source.paths=none", "output.dir=none"}, sets...))
	if err == nil && c.Parse.AsksModel() {
		return nil, fmt.Errorf("parse.parser: %s asks a served model, which 'capgraph run' does: captions in memory are read with %s, %s or %s",
			c.Parse.Parser, config.ParserRules, config.ParserAuto, config.ParserEncoder)
	}
	return c, err
}

// chunkRows is about how many captions a goroutine handles at a time.
const chunkRows = 128

// makeBatches returns the batches of the reply to a request, one for each chunk of captions.
func (s *server) makeBatches(ctx context.Context, r *request) (*arrow.Schema, []arrow.Record, []stages.Reject, error) {
	maker, err := s.findMaker(&r.call)
	if err != nil {
		return nil, nil, nil, err
	}
	schema, makeBatch := stages.GraphColumns(), maker.Graphs
	if r.call.Name != callGraphs {
		schema = stages.TextColumns()
		if r.call.Name == callUnits {
			schema = stages.AllColumns()
		}
		makeBatch = func(ctx context.Context, captions []stages.Caption) (arrow.Record, []stages.Reject, error) {
			return maker.Texts(ctx, captions, schema)
		}
		groupByImage(r.captions)
	}
	chunks := cutCaptions(r.captions)
	batches, rejects := make([]arrow.Record, len(chunks)), make([][]stages.Reject, len(chunks))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, chunk := range chunks {
		group.Go(func() (err error) {
			defer func() {
				if p := recover(); p != nil {
					err = &rowError{chunk[0].Row, fmt.Errorf("a panic at the %d captions from row %d on: %v (please report it with these captions)\n%s", len(chunk), chunk[0].Row, p, debug.Stack())}
				}
			}()
			if err := within.Err(); err != nil {
				return err
			}
			batches[i], rejects[i], err = makeBatch(within, chunk)
			if err != nil {
				return &rowError{chunk[0].Row, fmt.Errorf("the %d captions from row %d on: %w", len(chunk), chunk[0].Row, err)}
			}
			return nil
		})
	}
	err = group.Wait()
	batches = slices.DeleteFunc(batches, func(b arrow.Record) bool { return b == nil })
	return schema, batches, slices.Concat(rejects...), err
}

// groupByImage moves captions of the same image next to each other. Images keep the order of their
// first captions.
func groupByImage(captions []stages.Caption) {
	first := make(map[string]int64, len(captions))
	for _, c := range captions {
		if _, known := first[c.ImageKey]; !known {
			first[c.ImageKey] = c.Row
		}
	}
	slices.SortStableFunc(captions, func(a, b stages.Caption) int { return cmp.Compare(first[a.ImageKey], first[b.ImageKey]) })
}

// cutCaptions splits captions into chunks of about chunkRows. Captions of one image stay together.
func cutCaptions(captions []stages.Caption) [][]stages.Caption {
	var chunks [][]stages.Caption
	for len(captions) > 0 {
		end := min(chunkRows, len(captions))
		for end < len(captions) && captions[end].ImageKey == captions[end-1].ImageKey {
			end++
		}
		chunks = append(chunks, captions[:end])
		captions = captions[end:]
	}
	return chunks
}
