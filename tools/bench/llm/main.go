// Command llm measures how full llmparse keeps a server whose capacity it is
// not told, and what the client costs. The server is testing/fakevllm in a
// process of its own, so that its work is not counted.
//
//	go run ./tools/bench/llm -slots 64 -mean 1s
//	go run ./tools/bench/llm -slots 64 -mean 1s -then 256
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"capgraph/llmparse"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/store"
	"capgraph/testing/fakevllm"
)

func main() {
	slots := flag.Int("slots", 64, "requests that the server works on at once")
	then := flag.Int("then", 0, "slots after the change; 0 for none")
	mean := flag.Duration("mean", time.Second, "mean service time")
	warm := flag.Float64("warm", 20, "mean service times before measuring")
	settle := flag.Float64("settle", 8, "mean service times between the change and measuring again")
	measure := flag.Float64("measure", 20, "mean service times to measure")
	serve := flag.Bool("serve", false, "be the server (used by the program itself)")
	flag.Parse()
	var err error
	if *serve {
		err = server(*slots, *mean)
	} else {
		err = client(*slots, *then, *mean, *warm, *settle, *measure)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// server serves until its standard input ends, and answers a line of it: "busy"
// with the seconds that slots were busy, a number by having so many slots.
func server(slots int, mean time.Duration) error {
	s := fakevllm.New(fakevllm.Config{Slots: slots, Mean: mean})
	defer s.Close()
	fmt.Println(s.URL)
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if n, err := strconv.Atoi(in.Text()); err == nil {
			s.SetSlots(n)
		}
		fmt.Println(s.Busy().Seconds())
	}
	return in.Err()
}

// remote is the server's process.
type remote struct {
	in  io.WriteCloser
	out *bufio.Scanner
}

// say sends a line and returns the busy seconds that come back.
func (r *remote) say(line string) (float64, error) {
	if _, err := fmt.Fprintln(r.in, line); err != nil {
		return 0, err
	}
	if !r.out.Scan() {
		return 0, errors.New("the server has ended")
	}
	return strconv.ParseFloat(r.out.Text(), 64)
}

func client(slots, then int, mean time.Duration, warm, settle, measure float64) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	child := exec.Command(self, "-serve", "-slots", fmt.Sprint(slots), "-mean", mean.String())
	child.Stderr = os.Stderr
	stdin, err := child.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		return err
	}
	if err := child.Start(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stdin.Close(), child.Wait()) }()
	r := &remote{stdin, bufio.NewScanner(stdout)}
	if !r.out.Scan() {
		return errors.New("the server did not start")
	}
	dir, err := os.MkdirTemp("", "capgraph-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	opts := llmparse.Defaults()
	opts.Endpoints, opts.Model, opts.Cache, opts.Reply = []string{r.out.Text()}, "fake", dir, llmparse.ReplySchema
	rules, err := ruleparse.New()
	if err != nil {
		return err
	}
	p, err := llmparse.New(llmparse.Files{Store: store.Local{}}, opts, rules)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- feed(ctx, p) }()
	err = figures(r, p, slots, then, mean, warm, settle, measure)
	stop()
	fed := <-done
	if errors.Is(fed, context.Canceled) {
		fed = nil
	}
	return errors.Join(err, fed, p.Close())
}

// figures prints what there is to know.
func figures(r *remote, p *llmparse.Parser, slots, then int, mean time.Duration, warm, settle, measure float64) error {
	window := func(slots int, wait float64) error {
		time.Sleep(time.Duration(wait * float64(mean)))
		from, err := r.say("busy")
		if err != nil {
			return err
		}
		cpu, before, start := used(), p.Stats(), time.Now()
		time.Sleep(time.Duration(measure * float64(mean)))
		to, err := r.say("busy")
		if err != nil {
			return err
		}
		seconds, after := time.Since(start).Seconds(), p.Stats()
		n := float64(after.Requests - before.Requests)
		fmt.Printf("slots %4d  mean %v  busy %.1f %%  limit %d  requests/s %.1f  CPU %.3f ms/request  peak memory %d MB\n",
			slots, mean, 100*(to-from)/seconds/float64(slots), after.Limit, n/seconds, (used()-cpu).Seconds()*1e3/max(n, 1), peak())
		return nil
	}
	if err := window(slots, warm); err != nil || then == 0 {
		return err
	}
	if _, err := r.say(fmt.Sprint(then)); err != nil {
		return err
	}
	return window(then, settle)
}

// feed parses captions that differ, as the engine would: several batches at
// once.
func feed(ctx context.Context, p *llmparse.Parser) error {
	const rows, batches = 1024, 4
	failed := make(chan error, batches)
	for b := range batches {
		go func() {
			for n := b; ; n += batches {
				texts := make([]string, rows)
				for i := range texts {
					texts[i] = fmt.Sprintf("a brown dog with a red ball is lying on the table next to a window, number %d", n*rows+i)
				}
				if err := p.Parse(ctx, texts, make([]schemas.Parsed, rows)); err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	var err error
	for range batches {
		err = <-failed
	}
	return err
}

// used is the processor time of this process.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak is the most memory that this process has had, in MB.
func peak() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		return 0
	}
	return kb / 1024
}
