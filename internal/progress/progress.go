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

// plainEvery is the time between two lines of progress.
const plainEvery = 10 * time.Second

// Work is what is shown. Its functions are called from another goroutine.
type Work struct {
	Name      string
	One, Many string // what is counted: row, rows
	Total     int64  // of them; 0 where that is not known
	From      int64  // of them done before this work began
	Done      func() int64
	Tell      func(rate float64) string      // what a line tells besides, given the rate a second of what is done
	More      func() string                  // nil, or what it ends with
	Attrs     func(rate float64) []slog.Attr // what JSON tells before seconds and done
	Rest      func() []slog.Attr             // nil, or what it tells after them
}

// Shown is work that is being shown.
type Shown struct {
	work  Work
	out   io.Writer
	mode  string
	log   *slog.Logger
	began time.Time
	bars  *mpb.Progress // nil where no line moves
	quit  chan struct{}
	wait  sync.WaitGroup
}

// Start shows work on out, in one of the modes, until Stop.
func Start(out io.Writer, mode string, work Work) *Shown {
	s := &Shown{work: work, out: out, mode: mode, log: slog.New(slog.NewJSONHandler(out, nil)), began: time.Now(), quit: make(chan struct{})}
	switch mode {
	case None:
	case Bar:
		if work.Total > 0 {
			s.bars = mpb.New(mpb.WithOutput(out), mpb.WithWidth(40))
		}
		s.wait.Go(s.bar)
	default:
		s.wait.Go(s.lines)
	}
	return s
}

// Stop shows the last state and ends.
func (s *Shown) Stop() {
	close(s.quit)
	s.wait.Wait()
}

// Write writes to where the work is shown, above a line that moves: written
// beside it, the line would move over it.
func (s *Shown) Write(text []byte) (int, error) {
	if s.bars != nil {
		if n, err := s.bars.Write(text); err == nil {
			return n, nil
		}
	}
	return s.out.Write(text)
}

// rate is what is done of the work, and how much in a second.
func (s *Shown) rate() (done int64, rate float64) {
	done = s.work.Done()
	return done, float64(done-s.work.From) / max(time.Since(s.began).Seconds(), 1e-3)
}

func (s *Shown) lines() {
	tick := time.NewTicker(plainEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.line(false)
		case <-s.quit:
			s.line(true)
			return
		}
	}
}

// line writes one line of progress.
func (s *Shown) line(last bool) {
	w := &s.work
	done, rate := s.rate()
	taken := time.Since(s.began)
	if s.mode == JSON {
		var attrs []any
		for _, a := range w.Attrs(rate) {
			attrs = append(attrs, a)
		}
		attrs = append(attrs, slog.Float64("seconds", taken.Seconds()), slog.Bool("done", last))
		if w.Rest != nil {
			for _, a := range w.Rest() {
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
	line += " " + text.Plural(counted, w.One, w.Many) + "  " + w.Tell(rate)
	switch {
	case last:
		line += "  " + taken.Round(100*time.Millisecond).String()
	case w.Total > done && rate > 0:
		line += "  ETA " + w.left(done, rate)
	}
	fmt.Fprintln(s.out, line+w.more())
}

// left is the time that the rest of the work takes at a rate.
func (w *Work) left(done int64, rate float64) string {
	left := time.Duration(float64(w.Total-done) / rate * float64(time.Second))
	return left.Round(time.Second).String()
}

// more is what a line ends with.
func (w *Work) more() string {
	if w.More == nil {
		return ""
	}
	return w.More()
}

// bar shows a moving line; where the total is not known, lines.
func (s *Shown) bar() {
	w := &s.work
	if s.bars == nil {
		s.lines()
		return
	}
	bar := s.bars.AddBar(w.Total,
		mpb.PrependDecorators(decor.Name(w.Name, decor.WCSyncSpaceR), decor.CountersNoUnit("%d / %d "+text.Plural(w.Total, w.One, w.Many))),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			done, rate := s.rate()
			text := w.Tell(rate) + "  "
			if w.Total > done && rate > 0 {
				text += w.left(done, rate)
			}
			return text + w.more()
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
