package pipeline

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"capgraph/internal/plural"
)

// How progress is shown.
const (
	ProgressBar   = "bar"   // a line that moves, for terminals
	ProgressPlain = "plain" // a line now and then
	ProgressJSON  = "json"  // a JSON object now and then
	ProgressNone  = "none"
)

// plainEvery is the time between two lines of progress.
const plainEvery = 10 * time.Second

// Progress tells a person how far a run is. Its methods may be called from
// several goroutines at once; a nil Progress shows nothing.
type Progress struct {
	out  io.Writer
	mode string
	log  *slog.Logger
	live func() []slog.Attr // nil, or what else there is to tell of the pass

	rows, rejects atomic.Int64
	total         int64
	pass          string
	began         time.Time
	quit          chan struct{}
	wait          sync.WaitGroup
}

// NewProgress returns a Progress that writes to out in one of the modes.
func NewProgress(out io.Writer, mode string) *Progress {
	return &Progress{out: out, mode: mode, log: slog.New(slog.NewJSONHandler(out, nil))}
}

// start begins a pass over total rows; 0 where that is not known. live, which
// may be nil, gives what else there is to tell, such as an endpoint's load.
func (p *Progress) start(pass string, total int64, live func() []slog.Attr) {
	if p == nil || p.mode == ProgressNone {
		return
	}
	p.pass, p.total, p.live, p.began = pass, total, live, time.Now()
	p.rows.Store(0)
	p.rejects.Store(0)
	p.quit = make(chan struct{})
	show := p.lines
	if p.mode == ProgressBar {
		show = p.bar
	}
	p.wait.Go(show)
}

// add counts rows that are done, rejects among them.
func (p *Progress) add(rows, rejects int64) {
	if p == nil {
		return
	}
	p.rows.Add(rows)
	p.rejects.Add(rejects)
}

// stop ends a pass and waits until its last state is shown.
func (p *Progress) stop() {
	if p == nil || p.quit == nil {
		return
	}
	close(p.quit)
	p.wait.Wait()
	p.quit = nil
}

func (p *Progress) lines() {
	tick := time.NewTicker(plainEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.line(false)
		case <-p.quit:
			p.line(true)
			return
		}
	}
}

// line writes one line of progress.
func (p *Progress) line(last bool) {
	rows, rejects, taken := p.rows.Load(), p.rejects.Load(), time.Since(p.began)
	rate := float64(rows) / max(taken.Seconds(), 1e-3)
	if p.mode == ProgressJSON {
		attrs := []any{"pass", p.pass, "rows", rows, "total", p.total, "rejects", rejects,
			"rows_per_second", int64(rate), "seconds", taken.Seconds(), "done", last}
		if p.live != nil {
			for _, a := range p.live() {
				attrs = append(attrs, a)
			}
		}
		p.log.Info("progress", attrs...)
		return
	}
	text := fmt.Sprintf("%-6s %s", p.pass, thousands(rows))
	if p.total > 0 {
		text += " of " + thousands(p.total)
	}
	text += fmt.Sprintf(" %s  %s rows/s  %s rejected", plural.Of(cmp.Or(p.total, rows), "row", "rows"), thousands(int64(rate)), thousands(rejects))
	switch {
	case last:
		text += "  " + taken.Round(100*time.Millisecond).String()
	case p.total > rows && rate > 0:
		left := time.Duration(float64(p.total-rows) / rate * float64(time.Second))
		text += "  ETA " + left.Round(time.Second).String()
	}
	fmt.Fprintln(p.out, text+p.more())
}

// more is what live has to tell, to be appended to a line.
func (p *Progress) more() string {
	text := ""
	if p.live != nil {
		for _, a := range p.live() {
			text += "  " + a.String()
		}
	}
	return text
}

// bar shows a moving line; where the total is not known, lines.
func (p *Progress) bar() {
	if p.total == 0 {
		p.lines()
		return
	}
	container := mpb.New(mpb.WithOutput(p.out), mpb.WithWidth(40))
	bar := container.AddBar(p.total,
		mpb.PrependDecorators(decor.Name(p.pass, decor.WCSyncSpaceR), decor.CountersNoUnit("%d / %d "+plural.Of(p.total, "row", "rows"))),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			rate := float64(p.rows.Load()) / max(time.Since(p.began).Seconds(), 1e-3)
			return fmt.Sprintf("%s rows/s  %s rejected  ", thousands(int64(rate)), thousands(p.rejects.Load()))
		}), decor.AverageETA(decor.ET_STYLE_GO), decor.Any(func(decor.Statistics) string { return p.more() })))
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			bar.SetCurrent(min(p.rows.Load(), p.total))
		case <-p.quit:
			bar.SetCurrent(min(p.rows.Load(), p.total))
			if !bar.Completed() {
				bar.Abort(false)
			}
			container.Wait()
			return
		}
	}
}

// counted is a number with the noun that it has.
func counted(n int64, one, many string) string { return thousands(n) + " " + plural.Of(n, one, many) }

// thousands writes n with a comma between thousands.
func thousands(n int64) string {
	if n < 0 {
		return "-" + thousands(-n)
	}
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
