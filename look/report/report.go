package report

import (
	"bytes"
	"context"
	_ "embed"
	"html/template"
	"io"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/look/inspect"
)

//go:embed page.html
var page string

// Style is the style sheet of the page: light and dark, for a phone and a wide
// screen.
//
//go:embed style.css
var Style string

// Options say what a report is of.
type Options struct {
	Seed    uint64
	Replies string // the folder of a model's replies, where it proposed replacements
	Command string // how the report can be made again
	Version string
}

// Write makes the report of a folder; with other, of both side by side. It
// writes nothing where it returns an error of reading.
func Write(ctx context.Context, w io.Writer, f folder.Folder, other *folder.Folder, o Options) error {
	view := struct {
		Options
		Style   template.CSS
		Folders []*folderView
	}{Options: o, Style: template.CSS(Style)}
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
	t, err := template.New("page").Funcs(template.FuncMap{"mark": MarkChanges, "caption": MarkCaption, "drawing": DrawGraph}).Parse(page)
	if err != nil {
		return err
	}
	var made bytes.Buffer
	if err := t.Execute(&made, view); err != nil {
		return err
	}
	_, err = made.WriteTo(w)
	return err
}

// folderView is what the page shows of one folder.
type folderView struct {
	Dir      string
	Broken   []folder.SourceFile
	Failed   int
	Failures []folder.Failure
	Telling  []shownPair
	Funnel   []funnelStep
	Reasons  []rejectReason
	Graphs   []graphGroup
	Pairs    []pairGroup
	Dropped  []dropReason
	NoDrops  string // why the candidates that were dropped are not shown
	Plots    []template.HTML
	TextOnly float64
	Tables   []table
	Sampled  int
	Parsed   bool
	Texts    bool
}

type rejectReason struct {
	Name string
	Rows int64
	Some []folder.Reject
}

// readFolder reads what the page shows of a folder.
func readFolder(ctx context.Context, f folder.Folder, o Options) (*folderView, error) {
	t, err := readTotals(f)
	if err != nil {
		return nil, err
	}
	view := &folderView{Dir: f.Dir, Funnel: t.funnel(f.Dir), Failed: len(t.failures), Failures: t.failures[:min(len(t.failures), mostFailures)],
		Parsed: t.parse.Done > 0, Texts: t.texts.Done > 0}
	for i := range view.Failures {
		e := &view.Failures[i].Error
		*e = (*e)[:min(len(*e), mostErrorText)]
	}
	for _, file := range t.state.Index.Files {
		if file.Error != "" && len(view.Broken) < mostFailures {
			view.Broken = append(view.Broken, file)
		}
	}
	if view.Reasons, err = readReasons(f, t, o.Seed); err != nil {
		return nil, err
	}
	s, err := readSample(ctx, f, t, o.Seed)
	if err != nil {
		return nil, err
	}
	view.Sampled = len(s.graphs)
	view.Graphs = chooseGraphs(s.graphs, o.Seed)
	view.Telling = easiestFromText(s.texts)
	view.Pairs = choosePairs(s.texts, o.Seed)
	view.Tables = frequencyTables(s)
	if view.Texts {
		if view.Dropped, err = readDropReasons(ctx, f, t.texts.Stats, o); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			view.NoDrops = err.Error()
		}
	}
	view.Plots, view.TextOnly, err = plotDistributions(s)
	return view, err
}

// readReasons are those of all rejects, the most frequent first.
func readReasons(f folder.Folder, t *totals, seed uint64) ([]rejectReason, error) {
	rows, err := readRejects(t.state, seed)
	if err != nil {
		return nil, err
	}
	var all []rejectReason
	for _, a := range []*folder.Account{t.parse, t.texts} {
		for _, p := range rejectedParts(a.Rejects) {
			name := strings.TrimPrefix(p.Name, "rejected: ")
			all = append(all, rejectReason{name, p.Rows, rows[name]})
		}
	}
	slices.SortStableFunc(all, func(a, b rejectReason) int { return int(b.Rows - a.Rows) })
	return all, nil
}

// MarkChanges writes runs with what changed marked.
func MarkChanges(runs []inspect.Segment) template.HTML {
	var b strings.Builder
	for i, r := range runs {
		if i > 0 {
			b.WriteByte(' ')
		}
		text := template.HTMLEscapeString(r.Text)
		if r.Changed {
			text = "<mark>" + text + "</mark>"
		}
		b.WriteString(text)
	}
	return template.HTML(b.String())
}
