//go:build cuda && !gorgonia && linux && (amd64 || arm64)

package ruleparse

import (
	"errors"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"capgraph/schemas"
	"capgraph/testing/cudastub"
	"capgraph/testing/cutest"
)

// TestACardReadsTheSame compares the graphs of a card with those of the processor. The driver is a stub, and the
// card's kernels run on the processor. A card that fails is an error.
func TestACardReadsTheSame(t *testing.T) {
	s := cudastub.Build(t)
	m, err := cutest.New("../kernels")
	if errors.Is(err, cutest.ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Compute(t, m, cutest.Forward)
	t.Setenv("LD_LIBRARY_PATH", s.Folder)
	p := newReader(t, Auto)
	texts := []string{"a woman in purple juggles near a fountain", "a dog", "Snap Back Hat", "", "a guard in blue checks a ticket"}
	want, got := make([]schemas.Parsed, len(texts)), make([]schemas.Parsed, len(texts))
	if err := p.Parse(t.Context(), texts, want); err != nil {
		t.Fatal(err)
	}
	s.SetRoom(40 << 20) // less than the weights and cuBLASLt's workspace
	if err := p.UseDevice(CUDA); err == nil || !strings.Contains(err.Error(), "device is cuda: ") || !strings.Contains(err.Error(), "out of memory") {
		t.Errorf("error %v", err)
	}
	s.SetRoom(1 << 30)
	if err := p.UseDevice(CUDA); err != nil {
		t.Fatal(err)
	}
	s.ForgetCalls()
	if err := p.Parse(t.Context(), texts, got); err != nil {
		t.Fatal(err)
	}
	if strings.Count(s.Log(), "cuLaunchKernel") < 12 {
		t.Errorf("the card was asked\n%s", s.Log())
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	s.FailCall("cuLaunchKernel", 700)
	if err := p.Parse(t.Context(), texts, got); err == nil || !strings.Contains(err.Error(), "ruleparse: cuda/Stub 0") || !strings.Contains(err.Error(), "kernel encoder_embed") {
		t.Errorf("error %v", err)
	}
	for _, text := range []string{texts[2], texts[0]} { // not what was begun with the card
		var alone, fresh schemas.Parsed
		p.ParseText(text, &alone)
		if newReader(t, Auto).ParseText(text, &fresh); !reflect.DeepEqual(alone, fresh) {
			t.Errorf("after the error: %+v, want %+v", alone, fresh)
		}
	}
	if err := p.UseDevice(CPU); err != nil {
		t.Error(err)
	}
	if err := p.Parse(t.Context(), texts, got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %+v, want %+v", err, got, want)
	}
}

// BenchmarkParseOnACard parses captions on the processor and on card 0: the lines of the file that CAPGRAPH_CAPTIONS
// names, else captions of the web. It reports the share of graphs that are equal, which should be 1.
func BenchmarkParseOnACard(b *testing.B) {
	name := os.Getenv("CAPGRAPH_CAPTIONS")
	if name == "" {
		name = "../testdata/cc12m.tsv"
	}
	corpus, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	texts := strings.Split(strings.TrimSpace(string(corpus)), "\n")
	of, err := NewReader(Encoder)
	if err != nil {
		b.Fatal(err)
	}
	outs := map[string][]schemas.Parsed{}
	for _, device := range []string{CPU, CUDA} {
		if err := of.UseDevice(device); err != nil {
			b.Skip("nothing is measured: ", err)
		}
		b.Run(device, func(b *testing.B) {
			out := make([]schemas.Parsed, len(texts))
			for b.Loop() {
				if err := parseInPieces(b, of, texts, out); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "captions/s")
			if outs[device] = out; device == CPU {
				return
			}
			equal := 0
			for i := range out {
				if reflect.DeepEqual(out[i], outs[CPU][i]) {
					equal++
				}
			}
			b.ReportMetric(float64(equal)/float64(len(texts)), "equal")
		})
	}
}

// parseInPieces parses texts as a run does: pieces of a thousand, by each core of the machine.
func parseInPieces(b *testing.B, p *Parser, texts []string, out []schemas.Parsed) error {
	const piece = 1024
	g, ctx := errgroup.WithContext(b.Context())
	g.SetLimit(runtime.GOMAXPROCS(0))
	for at := 0; at < len(texts); at += piece {
		end := min(at+piece, len(texts))
		g.Go(func() error { return p.Parse(ctx, texts[at:end], out[at:end]) })
	}
	return g.Wait()
}
