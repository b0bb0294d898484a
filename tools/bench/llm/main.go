// Command llm measures how full llmparse keeps a server whose capacity it does not know, and what the client costs. The server is testing/fakevllm in a
// process of its own, so that its work is not counted.
//
//	go run ./tools/bench/llm -slots 64 -mean 1s
//	go run ./tools/bench/llm -slots 64 -mean 1s -then 256
//	go run ./tools/bench/llm -slots 64,8 -mean 1s            # two servers
//	go run ./tools/bench/llm -slots 64 -queue 32 -fixed 256  # that refuses what it has no room for
//	go run ./tools/bench/llm -endpoint http://127.0.0.1:8000/v1 -model NAME -mean 1s
package main

import (
	"bufio"
	"context"
	"encoding/json"
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
	"capgraph/llmparse/client"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/testing/fakevllm"
)

// flags are the flags of the program.
type flags struct {
	slots, endpoint, model, sampling string
	then, queue, fixed               int
	mean, timeout                    time.Duration
	warm, settle, measure            float64
}

func main() {
	var f flags
	flag.StringVar(&f.slots, "slots", "64", "requests that each server works on at once, separated by commas")
	flag.IntVar(&f.then, "then", 0, "slots of the first server after the change; 0 for none")
	flag.IntVar(&f.queue, "queue", 0, "requests that may wait at each server, which refuses more with 429; 0 for any number")
	flag.DurationVar(&f.mean, "mean", time.Second, "mean service time")
	flag.Float64Var(&f.warm, "warm", 20, "mean service times before measuring")
	flag.Float64Var(&f.settle, "settle", 8, "mean service times between the change and measuring again")
	flag.Float64Var(&f.measure, "measure", 20, "mean service times to measure")
	flag.IntVar(&f.fixed, "fixed", 0, "requests in flight at each server; 0: the number is found")
	flag.DurationVar(&f.timeout, "timeout", client.Defaults().Timeout, "parse.timeout")
	flag.StringVar(&f.endpoint, "endpoint", "", "base URL of a real server, to measure that one")
	flag.StringVar(&f.model, "model", "fake", "its model")
	flag.StringVar(&f.sampling, "sampling", "{}", "parse.sampling, as JSON")
	serve := flag.Bool("serve", false, "be the server (used by the program itself)")
	flag.Parse()
	run := runClient
	if *serve {
		run = server
	}
	if err := run(&f); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// server serves until its standard input ends, and answers a line of it: "busy"
// with the seconds that slots were busy, a number by setting the slots to it.
func server(f *flags) error {
	slots, err := strconv.Atoi(f.slots)
	if err != nil {
		return err
	}
	s := fakevllm.New(fakevllm.Config{Slots: slots, Queue: f.queue, Mean: f.mean})
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

// remote is the process of a server.
type remote struct {
	slots   int
	url     string
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

// startServer starts a server in a process of its own.
func startServer(f *flags, slots int) (*remote, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	r := &remote{slots: slots, process: exec.Command(self, "-serve", "-slots", fmt.Sprint(slots), "-queue", fmt.Sprint(f.queue), "-mean", f.mean.String())}
	r.process.Stderr = os.Stderr
	if r.in, err = r.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := r.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := r.process.Start(); err != nil {
		return nil, err
	}
	if r.out = bufio.NewScanner(out); !r.out.Scan() {
		return nil, errors.Join(errors.New("the server did not start"), r.close())
	}
	r.url = r.out.Text()
	return r, nil
}

func (r *remote) close() error { return errors.Join(r.in.Close(), r.process.Wait()) }

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

func runClient(f *flags) (err error) {
	dir, err := os.MkdirTemp("", "capgraph-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	opts := client.Defaults()
	opts.Model, opts.Cache, opts.Reply, opts.Timeout = f.model, dir, client.ReplySchema, f.timeout
	opts.OnBad, opts.FailureBudget = client.OnBadReject, 1<<30
	if f.fixed > 0 {
		opts.MinInFlight, opts.MaxInFlight = f.fixed, f.fixed
	}
	if err := json.Unmarshal([]byte(f.sampling), &opts.Sampling); err != nil {
		return fmt.Errorf("-sampling: %w", err)
	}
	var servers []*remote
	if f.endpoint != "" {
		opts.Endpoints = []string{f.endpoint}
	} else {
		for slots := range strings.SplitSeq(f.slots, ",") {
			n, err := strconv.Atoi(slots)
			if err != nil {
				return fmt.Errorf("-slots: %w", err)
			}
			r, err := startServer(f, n)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, r.close()) }()
			servers = append(servers, r)
			opts.Endpoints = append(opts.Endpoints, r.url)
		}
	}
	rules, err := ruleparse.New()
	if err != nil {
		return err
	}
	p, err := llmparse.New(opts, rules)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- feed(ctx, p) }()
	err = writeFigures(servers, p, f)
	stop()
	fed := <-done
	if errors.Is(fed, context.Canceled) {
		fed = nil
	}
	return errors.Join(err, fed, p.Close())
}

// busySeconds returns how long the slots of each server were busy.
func busySeconds(servers []*remote) ([]float64, error) {
	var all []float64
	for _, r := range servers {
		s, err := r.say("busy")
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// writeFigures prints a line for each time that is measured.
func writeFigures(servers []*remote, p *llmparse.Parser, f *flags) error {
	window := func(wait float64) error {
		time.Sleep(time.Duration(wait * float64(f.mean)))
		from, err := busySeconds(servers)
		if err != nil {
			return err
		}
		cpu, before, start := used(), p.Stats(), time.Now()
		time.Sleep(time.Duration(f.measure * float64(f.mean)))
		to, err := busySeconds(servers)
		if err != nil {
			return err
		}
		seconds, after := time.Since(start).Seconds(), p.Stats()
		for i, r := range servers {
			fmt.Printf("slots %d  busy %.1f %%  ", r.slots, 100*(to[i]-from[i])/seconds/float64(r.slots))
		}
		n := float64(after.Requests - before.Requests)
		fmt.Printf("mean %v  limit %d  graphs/s %.2f  tokens/s %.0f  requests/s %.1f  latency %v, %v  failures %v  texts without a reply %v  CPU %.3f ms/request  peak memory %d MB\n",
			f.mean, after.Limit, float64(after.Texts-before.Texts)/seconds, float64(after.TokensOut-before.TokensOut)/seconds, n/seconds, after.P50.Round(1e6), after.P99.Round(1e6),
			after.Failures, after.Bad, (used()-cpu).Seconds()*1e3/max(n, 1), peak())
		return nil
	}
	if err := window(f.warm); err != nil || f.then == 0 || len(servers) == 0 {
		return err
	}
	if _, err := servers[0].say(fmt.Sprint(f.then)); err != nil {
		return err
	}
	servers[0].slots = f.then
	return window(f.settle)
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
