package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"capgraph/testing/fakevllm"
)

// TestAllPassesAreMeasured reads the port of a run until it ends.
func TestAllPassesAreMeasured(t *testing.T) {
	server := fakevllm.New(fakevllm.Config{Slots: 2, Mean: 10 * time.Millisecond, Answer: answerEither})
	defer server.Close()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr, dir := taken.Addr().String(), t.TempDir()
	args := []string{"run", "--progress", "none", "--set", "source.format=cc12m", "--set", "source.paths=../../testdata/cc12m.tsv", "--set", "output.dir=" + filepath.Join(dir, "out"),
		"--set", "negatives.replacements=llm", "--set", "parse.model=m", "--set", "parse.endpoints=" + server.URL, "--set", "parse.cache=" + filepath.Join(dir, "replies"), "--set", "parse.metrics_addr=" + addr}
	var errs bytes.Buffer
	if code := run(t.Context(), args, streams{out: io.Discard, err: &errs}); code != exitUsage || !strings.Contains(errs.String(), "parse.metrics_addr: listen tcp") {
		t.Errorf("where another listens: exit %d, %s", code, errs.String())
	}
	taken.Close()
	ended := make(chan int, 1)
	go func() { ended <- run(t.Context(), args, streams{out: io.Discard, err: io.Discard}) }()
	var read strings.Builder
	for code := -1; code < 0; {
		select {
		case code = <-ended:
			if code != 0 {
				t.Fatalf("exit code %d", code)
			}
		case <-time.After(10 * time.Millisecond):
			if reply, err := http.Get("http://" + addr + "/metrics"); err == nil {
				if text, err := io.ReadAll(reply.Body); err == nil && reply.StatusCode == http.StatusOK {
					read.Write(text)
				}
				reply.Body.Close()
			}
		}
	}
	for _, want := range []string{
		`capgraph_pass_processed_total{pass="index",step="",unit="rows"} 242`, `capgraph_pass_processed_total{pass="parse",step="",unit="rows"} 242`,
		`capgraph_pass_rejects_total{pass="parse"} `, `capgraph_pass_units{pass="balance",step="candidates",unit="captions"} `, `pass="texts"`,
		"capgraph_llm_requests_total ", "capgraph_llm_requests_in_flight{",
	} {
		if !strings.Contains(read.String(), want) {
			t.Errorf("no %s in what was read", want)
		}
	}
	if _, err := net.DialTimeout("tcp", addr, time.Second); err == nil {
		t.Error("the port is open after the run")
	}
}
