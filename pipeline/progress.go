package pipeline

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"capgraph/internal/progress"
	"capgraph/internal/text"
)

// How progress is shown.
const (
	ProgressBar   = progress.Bar
	ProgressPlain = progress.Plain
	ProgressJSON  = progress.JSON
	ProgressNone  = progress.None
)

// Progress shows the progress of a run. Its methods may be called from several goroutines at once;
// a nil Progress shows nothing.
type Progress struct {
	out           io.Writer
	mode          string
	rows, rejects atomic.Int64
	shown         atomic.Pointer[progress.Display] // of the pass that runs

	mu    sync.Mutex
	steps []Step // begun steps; rows and rejects count for the last one
}

// Step is the progress of a pass, or of a named part of it: Done of Total, which is 0 if it is not
// known. Counted names the unit, such as "rows".
type Step struct {
	Pass, Name, Counted  string
	Done, Total, Rejects int64
}

// Steps returns the steps that have begun, in order. The last one may not be finished.
func (p *Progress) Steps() []Step {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finishSteps()
	return slices.Clone(p.steps)
}

// finishSteps records the counts of the last step.
func (p *Progress) finishSteps() {
	if n := len(p.steps); n > 0 {
		p.steps[n-1].Done, p.steps[n-1].Rejects = p.rows.Load(), p.rejects.Load()
	}
}

// NewProgress returns a Progress that writes to out in one of the modes.
func NewProgress(out io.Writer, mode string) *Progress {
	return &Progress{out: out, mode: mode}
}

// startPass begins a pass over total rows, 0 if that is not known. live, which may be nil, returns
// further figures to show, such as an endpoint's load.
func (p *Progress) startPass(pass string, total int64, live func() []slog.Attr) {
	p.showStep(step{pass, "", "row", "rows", total}, func(rate float64) string {
		return fmt.Sprintf("%s rows/s  %s rejected", text.Thousands(int64(rate)), text.Thousands(p.rejects.Load()))
	}, live)
}

// step is a part of a pass: its name, and the unit that is counted. A pass over shards is one step
// without a name.
type step struct {
	pass, name, one, many string
	total                 int64
}

// stepWords describe each step in words.
var stepWords = map[string]string{
	"sums":       "adding up",
	"lists":      "listing what repeats",
	"candidates": "making candidates",
	"weights":    "learning what words give away",
	"effect":     "measuring the effect",
}

// describeStep describes a step; merges have numbers.
func describeStep(name string) string {
	if round, ok := strings.CutPrefix(name, "merge"); ok {
		return "merging, round " + round
	}
	return cmp.Or(stepWords[name], name)
}

// startStep begins a step of a pass over the whole folder.
func (p *Progress) startStep(s step) {
	p.showStep(s, func(rate float64) string { return fmt.Sprintf("%s %s/s", text.Thousands(int64(rate)), s.many) }, nil)
}

// showStep replaces the display with one for the step s.
func (p *Progress) showStep(s step, tell func(rate float64) string, live func() []slog.Attr) {
	if p == nil {
		return
	}
	p.stopShowing()
	p.mu.Lock()
	p.finishSteps()
	p.rows.Store(0)
	p.rejects.Store(0)
	p.steps = append(p.steps, Step{Pass: s.pass, Name: s.name, Counted: s.many, Total: s.total})
	p.mu.Unlock()
	name := s.pass
	if s.name != "" {
		name += " (" + describeStep(s.name) + ")"
	}
	p.shown.Store(progress.Start(p.out, p.mode, progress.Work{
		Name: name, One: s.one, Many: s.many, Total: s.total, Done: p.rows.Load, Detail: tell,
		Suffix: func() string { return formatAttrs(live) },
		Attrs: func(rate float64) []slog.Attr {
			attrs := []slog.Attr{slog.String("pass", s.pass)}
			if s.name != "" {
				attrs = append(attrs, slog.String("step", s.name))
			}
			return append(attrs, slog.Int64(s.many, p.rows.Load()), slog.Int64("total", s.total),
				slog.Int64("rejects", p.rejects.Load()), slog.Int64(s.many+"_per_second", int64(rate)))
		},
		TailAttrs: live,
	}))
}

// Write writes text to the terminal above the progress display.
func (p *Progress) Write(text []byte) (int, error) {
	if shown := p.shown.Load(); shown != nil {
		return shown.Write(text)
	}
	return p.out.Write(text)
}

// formatAttrs returns the figures of live, to be appended to a line.
func formatAttrs(live func() []slog.Attr) string {
	text := ""
	if live != nil {
		for _, a := range live() {
			text += "  " + a.String()
		}
	}
	return text
}

// addRows counts finished rows, and the rejects among them.
func (p *Progress) addRows(rows, rejects int64) {
	if p == nil {
		return
	}
	p.rows.Add(rows)
	p.rejects.Add(rejects)
}

// stopShowing ends the display and waits until its last state is shown.
func (p *Progress) stopShowing() {
	if p == nil {
		return
	}
	if shown := p.shown.Load(); shown != nil {
		shown.Stop()
		p.shown.Store(nil)
	}
}
