package report

import (
	"context"
	"html/template"
	"image"
	"io"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/stages"
)

// FolderOptions are the settings of WriteFolder.
type FolderOptions struct {
	Seed    uint64
	Replies string // the folder of a language model's replies, if it proposed replacements
	// Image reads the encoded image of a row. It may be nil.
	Image   func(ctx context.Context, row *inspect.GraphRow) ([]byte, error)
	Command string // prints the page again
	Version string
}

// WriteFolder writes the page of a folder, or of two folders side by side if other is not nil. If
// they cannot be read, it writes nothing.
func WriteFolder(ctx context.Context, w io.Writer, f folder.Folder, other *folder.Folder, o FolderOptions) error {
	view := struct {
		FolderOptions
		Style   template.CSS
		Folders []*folderView
	}{FolderOptions: o, Style: template.CSS(Style)}
	for _, each := range []*folder.Folder{&f, other} {
		if each == nil {
			continue
		}
		one, err := readFolder(ctx, *each, o)
		if err != nil {
			return err
		}
		view.Folders = append(view.Folders, one)
	}
	return writePage(w, "folder.html", view)
}

// folderView is the template's data for one folder.
type folderView struct {
	Dir      string
	Verdict  verdict
	Mix      []string            // kinds of negatives with their shares
	Random   []shownPair         // of all negatives of the sample
	Broken   []folder.SourceFile // files that could be read only in part
	Failed   int
	Failures []folder.Failure
	Easiest  []shownPair // negatives that text alone tells from their positives
	Funnel   []funnelStep
	Reasons  []rejectReason
	Graphs   []graphGroup
	Pairs    []pairGroup
	Dropped  []dropReason
	NoDrops  string // why no dropped candidates are shown
	Plots    []template.HTML
	// Confidences are plots of the confidence of graph parts and texts, and of its measured reliability.
	Confidences []template.HTML
	TextOnly    float64 // accuracy in percent
	Tables      []table
	Sampled     int
	Parsed      bool // graphs exist
	Texts       bool // texts exist
}

// rejectReason is a reason to reject rows, with some of these rows.
type rejectReason struct {
	Name string
	Rows int64
	Some []folder.Reject
}

// readFolder reads what the page shows about a folder.
func readFolder(ctx context.Context, f folder.Folder, o FolderOptions) (*folderView, error) {
	t, err := readTotals(f)
	if err != nil {
		return nil, err
	}
	view := &folderView{Dir: f.Dir, Verdict: t.verdict(), Funnel: t.funnel(f.Dir), Failed: len(t.failures), Failures: t.failures[:min(len(t.failures), maxFailures)],
		Parsed: t.parse.Done > 0, Texts: t.texts.Done > 0}
	for i := range view.Failures {
		e := &view.Failures[i].Error
		*e = (*e)[:min(len(*e), maxErrorBytes)]
	}
	for _, file := range t.state.Index.Files {
		if file.Error != "" && len(view.Broken) < maxFailures {
			view.Broken = append(view.Broken, file)
		}
	}
	if view.Reasons, err = readRejectReasons(t, o.Seed); err != nil {
		return nil, err
	}
	s, err := readSample(ctx, t, o.Seed)
	if err != nil {
		return nil, err
	}
	view.Sampled = len(s.graphs)
	view.Graphs = chooseGraphs(s.graphs, o.Seed)
	if err := addImages(ctx, view.Graphs, o); err != nil {
		return nil, err
	}
	if view.Texts {
		view.Mix = strings.Split(stages.FormatMix(t.texts.Stats, t.texts.Out), "\n")
	}
	view.Random = randomPairs(s.texts, o.Seed)
	view.Easiest = easiestFromText(s.texts)
	view.Pairs = choosePairs(s.texts, o.Seed)
	view.Tables = frequencyTables(s)
	var rated confidences
	for i := range s.graphs {
		rated.addGraph(&s.graphs[i].Graph)
	}
	if view.Texts {
		if view.Dropped, err = readDropReasons(ctx, f, t.texts.Stats, o, &rated); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			view.NoDrops = err.Error()
		}
	}
	if view.Plots, view.TextOnly, err = plotDistributions(s); err != nil {
		return nil, err
	}
	view.Confidences, err = rated.drawPlots()
	return view, err
}

// addImages adds images to the shown graphs. Images that cannot be read or decoded are marked as missing.
func addImages(ctx context.Context, groups []graphGroup, o FolderOptions) error {
	for i := range groups {
		for k := range groups[i].Some {
			if o.Image == nil {
				return nil
			}
			g := &groups[i].Some[k]
			encoded, err := o.Image(ctx, &g.GraphRow)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil {
				g.Image, err = shrinkImage(encoded, image.Rectangle{})
			}
			g.NoImage = err != nil
		}
	}
	return nil
}

// readRejectReasons returns the reasons for which rows were rejected, the most frequent first, with some rows of
// each.
func readRejectReasons(t *totals, seed uint64) ([]rejectReason, error) {
	rows, err := readRejects(t.state, seed)
	if err != nil {
		return nil, err
	}
	var all []rejectReason
	for _, a := range []*folder.Account{t.parse, t.texts} {
		for _, p := range rejectedParts(a.Rejects) {
			name := trimRejected(p.Name)
			all = append(all, rejectReason{name, p.Rows, rows[name]})
		}
	}
	slices.SortStableFunc(all, func(a, b rejectReason) int { return int(b.Rows - a.Rows) })
	return all, nil
}
