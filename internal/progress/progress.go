// Package progress shows how far long work is: as a bar that moves, as lines or
// as JSON.
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

// How progress is shown.
const (
	Bar   = "bar"   // a line that moves, for terminals
	Plain = "plain" // a line now and then
	JSON  = "json"  // a JSON object now and then
	None  = "none"
)

// plainInterval is the time between two lines of progress.
const plainInterval = 10 * time.Second

// Work is what is shown. Its functions are called from another goroutine.
type Work struct {
	Name      string
	One, Many string // what is counted: row, rows
	Total     int64  // of them; 0 where that is not known
	From      int64  // of them done before this work began
	Done      func() int64
	Detail    func(rate float64) string      // what a line tells besides, given the rate a second of what is done
	Suffix    func() string                  // nil, or what it ends with
	Attrs     func(rate float64) []slog.Attr // what JSON tells before seconds and done
	TailAttrs func() []slog.Attr             // nil, or what it tells after them
}

// Display is work that is being shown.
type Display struct {
	work    Work
	out     io.Writer
	mode    string
	log     *slog.Logger
	started time.Time
	bars    *mpb.Progress // nil where no line moves
	quit    chan struct{}
	wait    sync.WaitGroup
}

// Start shows work on out, in one of the modes, until Stop.
func Start(out io.Writer, mode string, work Work) *Display {
	s := &Display{work: work, out: out, mode: mode, log: slog.New(slog.NewJSONHandler(out, nil)), started: time.Now(), quit: make(chan struct{})}
	switch mode {
	case None:
	case Bar:
		if work.Total > 0 {
			s.bars = mpb.New(mpb.WithOutput(out), mpb.WithWidth(40))
		}
		s.wait.Go(s.runBar)
	default:
		s.wait.Go(s.runLines)
	}
	return s
}

// Stop shows the last state and ends.
func (s *Display) Stop() {
	close(s.quit)
	s.wait.Wait()
}

// Write writes to where the work is shown, above a line that moves: written
// beside it, the line would move over it.
func (s *Display) Write(text []byte) (int, error) {
	if s.bars != nil {
		if n, err := s.bars.Write(text); err == nil {
			return n, nil
		}
	}
	return s.out.Write(text)
}

// doneAndRate is what is done of the work, and how much in a second.
func (s *Display) doneAndRate() (done int64, rate float64) {
	done = s.work.Done()
	return done, float64(done-s.work.From) / max(time.Since(s.started).Seconds(), 1e-3)
}

func (s *Display) runLines() {
	tick := time.NewTicker(plainInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.writeLine(false)
		case <-s.quit:
			s.writeLine(true)
			return
		}
	}
}

// writeLine writes one line of progress.
func (s *Display) writeLine(last bool) {
	w := &s.work
	done, rate := s.doneAndRate()
	taken := time.Since(s.started)
	if s.mode == JSON {
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
		s.log.Info("progress", attrs...)
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
	fmt.Fprintln(s.out, line+w.suffix())
}

// timeLeft is the time that the rest of the work takes at a rate.
func (w *Work) timeLeft(done int64, rate float64) string {
	left := time.Duration(float64(w.Total-done) / rate * float64(time.Second))
	return left.Round(time.Second).String()
}

// suffix is what a line ends with.
func (w *Work) suffix() string {
	if w.Suffix == nil {
		return ""
	}
	return w.Suffix()
}

// runBar shows a moving line; where the total is not known, lines.
func (s *Display) runBar() {
	w := &s.work
	if s.bars == nil {
		s.runLines()
		return
	}
	bar := s.bars.AddBar(w.Total,
		mpb.PrependDecorators(decor.Name(w.Name, decor.WCSyncSpaceR), decor.CountersNoUnit("%d / %d "+text.Plural(w.Total, w.One, w.Many))),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			done, rate := s.doneAndRate()
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
		case <-s.quit:
			bar.SetCurrent(min(w.Done(), w.Total))
			if !bar.Completed() {
				bar.Abort(false)
			}
			s.bars.Wait()
			return
		}
	}
}
