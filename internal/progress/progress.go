// Package progress shows the progress of long work, as a moving bar, as lines or as JSON:
//
//	d := progress.Start(os.Stderr, progress.Bar, progress.Work{Name: "parse", One: "row", Many: "rows", …})
//	defer d.Stop()
package progress

import (
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"capgraph/internal/text"
)

// Modes of a display.
const (
	Bar   = "bar"   // a moving line, for terminals
	Plain = "plain" // a line every ten seconds
	JSON  = "json"  // a JSON object every ten seconds
	None  = "none"
)

// plainInterval is the time between two lines of progress.
const plainInterval = 10 * time.Second

// Work is the work whose progress is shown. Its functions are called in another goroutine.
type Work struct {
	Name      string
	One, Many string       // what is counted, such as "row" and "rows"
	Total     int64        // 0 if it is not known
	From      int64        // what was done before this start
	Done      func() int64 // what is done
	// Detail returns a text to show; rate is the number done per second.
	Detail func(rate float64) string
	// Suffix returns the end of a line. It may be nil.
	Suffix func() string
	// Attrs returns the fields of a JSON object before seconds and done, TailAttrs the fields after
	// them. TailAttrs may be nil.
	Attrs     func(rate float64) []slog.Attr
	TailAttrs func() []slog.Attr
}

// Display shows the progress of work until Stop.
type Display struct {
	work    Work
	out     io.Writer
	mode    string
	log     *slog.Logger
	started time.Time
	bars    *mpb.Progress // nil in modes without a moving line
	quit    chan struct{}
	wait    sync.WaitGroup
}

// Start shows the progress of work on out in a mode.
func Start(out io.Writer, mode string, work Work) *Display {
	d := &Display{work: work, out: out, mode: mode, log: slog.New(slog.NewJSONHandler(out, nil)), started: time.Now(), quit: make(chan struct{})}
	switch mode {
	case None:
	case Bar:
		if work.Total > 0 {
			d.bars = mpb.New(mpb.WithOutput(out), mpb.WithWidth(40))
		}
		d.wait.Go(d.runBar)
	default:
		d.wait.Go(d.runLines)
	}
	return d
}

// Stop shows the last state and ends the display.
func (d *Display) Stop() {
	close(d.quit)
	d.wait.Wait()
}

// Write writes text above the moving line, which would otherwise overwrite it.
func (d *Display) Write(text []byte) (int, error) {
	if d.bars != nil {
		if n, err := d.bars.Write(text); err == nil {
			return n, nil
		}
	}
	return d.out.Write(text)
}

// doneAndRate returns the number done, and how many are done per second.
func (d *Display) doneAndRate() (done int64, rate float64) {
	done = d.work.Done()
	return done, float64(done-d.work.From) / max(time.Since(d.started).Seconds(), 1e-3)
}

// runLines writes lines until Stop.
func (d *Display) runLines() {
	tick := time.NewTicker(plainInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			d.writeLine(false)
		case <-d.quit:
			d.writeLine(true)
			return
		}
	}
}

// writeLine writes one line of progress.
func (d *Display) writeLine(last bool) {
	w := &d.work
	done, rate := d.doneAndRate()
	taken := time.Since(d.started)
	if d.mode == JSON {
		var attrs []any
		for _, a := range w.Attrs(rate) {
			attrs = append(attrs, a)
		}
		attrs = append(attrs, slog.Float64("seconds", taken.Seconds()), slog.Bool("done", last))
		if w.TailAttrs != nil {
			for _, a := range w.TailAttrs() {
				attrs = append(attrs, a)
			}
		}
		d.log.Info("progress", attrs...)
		return
	}
	counted := done
	line := fmt.Sprintf("%-6s %s", w.Name, text.Thousands(done))
	if w.Total > 0 {
		counted = w.Total
		line += " of " + text.Thousands(w.Total)
	}
	line += " " + text.Plural(counted, w.One, w.Many) + "  " + w.Detail(rate)
	switch {
	case last:
		line += "  " + taken.Round(100*time.Millisecond).String()
	case w.Total > done && rate > 0:
		line += "  ETA " + w.timeLeft(done, rate)
	}
	fmt.Fprintln(d.out, line+w.suffix())
}

// timeLeft returns the time that the rest of the work takes at a rate.
func (w *Work) timeLeft(done int64, rate float64) string {
	left := time.Duration(float64(w.Total-done) / rate * float64(time.Second))
	return left.Round(time.Second).String()
}

// suffix returns the end of a line.
func (w *Work) suffix() string {
	if w.Suffix == nil {
		return ""
	}
	return w.Suffix()
}

// runBar shows a moving line until Stop, or lines if the total is not known.
func (d *Display) runBar() {
	w := &d.work
	if d.bars == nil {
		d.runLines()
		return
	}
	bar := d.bars.AddBar(w.Total,
		mpb.PrependDecorators(decor.Name(w.Name, decor.WCSyncSpaceR), decor.CountersNoUnit("%d / %d "+text.Plural(w.Total, w.One, w.Many))),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			done, rate := d.doneAndRate()
			text := w.Detail(rate) + "  "
			if w.Total > done && rate > 0 {
				text += w.timeLeft(done, rate)
			}
			return text + w.suffix()
		})))
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			bar.SetCurrent(min(w.Done(), w.Total))
		case <-d.quit:
			bar.SetCurrent(min(w.Done(), w.Total))
			if !bar.Completed() {
				bar.Abort(false)
			}
			d.bars.Wait()
			return
		}
	}
}
