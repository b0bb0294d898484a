package main

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"capgraph/testing/fakevllm"
	"capgraph/testing/longtest"
)

var kills = flag.Int("kills", 5, "how often TestKilledRunsAskForNothingTwice kills a run")

// TestModelScripts runs the commands against a served model, which is a fake.
func TestModelScripts(t *testing.T) {
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/llm",
		Setup: func(env *testscript.Env) error {
			server := fakevllm.New(fakevllm.Config{Slots: 16, Mean: 2 * time.Millisecond, Key: "sk-right", Answer: answerEither})
			env.Defer(server.Close)
			env.Values["server"] = server
			env.Setenv("ENDPOINT", server.URL)
			rubbish := fakevllm.New(fakevllm.Config{Answer: func(string) string { return "{sorry" }})
			env.Defer(rubbish.Close)
			env.Setenv("RUBBISH", rubbish.URL)
			declining := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, `{"error":"the context is too short"}`)
			}))
			env.Defer(declining.Close)
			env.Setenv("DECLINING", declining.URL)
			page := httptest.NewServer(http.HandlerFunc(webPage))
			env.Defer(page.Close)
			env.Setenv("PAGE", page.URL)
			env.Setenv("SAMPLES", filepath.Join(repository, "testdata"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"samebytes": sameBytes,
			"requests":  requests,
			"answer":    answerBatch,
			"envfile":   expandFile,
			"cutoff":    cutOff,
		},
	})
}

// webPage is a site that is no model: a page, with the status that the path
// begins with.
func webPage(w http.ResponseWriter, r *http.Request) {
	status, err := strconv.Atoi(strings.SplitN(r.URL.Path, "/", 3)[1])
	if err != nil {
		status = http.StatusOK
	}
	w.WriteHeader(status)
	fmt.Fprint(w, "<!DOCTYPE html>\n<html><head><title>A site</title></head><body>Welcome</body></html>")
}

// answerEither gives the graph or whole negatives of a caption, or fillings for a part of a phrase;
// nothing of use for a beach that is shouted.
func answerEither(caption string) string {
	if strings.Contains(caption, "beach!") {
		return "no graph"
	}
	if strings.Contains(caption, "Phrase: ") {
		return `{"fillings":["zebra","lamp","blue","flying over","three","green"]}`
	}
	return fakevllm.Answer(caption)
}

// expandFile puts environment variables into a file.
func expandFile(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(os.Expand(string(data), ts.Getenv)), 0o666))
}

// cutOff shortens a file to its first bytes.
func cutOff(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.Truncate(ts.MkAbs(args[0]), 10000))
}

// requests checks how many requests the server has seen.
func requests(ts *testscript.TestScript, neg bool, args []string) {
	n := fmt.Sprint(ts.Value("server").(*fakevllm.Server).Counts().Requests)
	if (n == args[0]) == neg {
		ts.Fatalf("the server has seen %s requests", n)
	}
}

// answerBatch writes the answers to a batch file, in another order: all but
// the first, and an error for the second. A third argument is how many tokens
// a reply takes that isn't cut off.
func answerBatch(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	least := 0
	if len(args) > 2 {
		least, err = strconv.Atoi(args[2])
		ts.Check(err)
	}
	answers, err := fakevllm.RunBatch(data, least)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), answers, 0o666))
}

// Under faults of all kinds each row ends in graphs/ or as a reject with a
// reason, and the rows add up.
func TestRowsAddUpUnderFaults(t *testing.T) {
	longtest.Only(t, "it waits for a server with faults")
	const rows = 200
	server := fakevllm.New(fakevllm.Config{Slots: 32, Mean: 10 * time.Millisecond, Faults: fakevllm.AllKinds(0.3)})
	defer server.Close()
	dir := modelFolder(t, rows, server.URL, "timeout: 300ms, on_bad_reply: reject, reply: plain")
	c := exec.Command("capgraph", "run", "--only", "parse", "--progress", "none")
	c.Dir = dir
	index(t, dir)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var in, kept, rejected int
	for _, line := range strings.Split(string(out), "\n") {
		if strings.HasPrefix(line, "parse ") {
			fmt.Sscanf(strings.TrimSpace(strings.TrimPrefix(line, "parse ")), "%d in, %d out to graphs/, %d rejected", &in, &kept, &rejected)
		}
	}
	if in != rows || kept+rejected != rows || kept < rows*9/10 {
		t.Errorf("%d rows in, %d out, %d rejected:\n%s", in, kept, rejected, out)
	}
}

// Under faults of all kinds while a model proposes replacements each row ends in
// texts/, and each question has a reply in the cache unless it is said that it
// has none.
func TestReplacementsAddUpUnderFaults(t *testing.T) {
	longtest.Only(t, "it waits for a server with faults")
	const rows = 150
	server := fakevllm.New(fakevllm.Config{Slots: 32, Mean: 5 * time.Millisecond, Faults: fakevllm.AllKinds(0.3), Answer: answerEither})
	defer server.Close()
	dir := modelFolder(t, rows, server.URL, "timeout: 300ms")
	out, err := inFolder(dir, "run", "--set", "parse.parser=rules", "--set", "negatives.replacements=llm", "--progress", "none")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var in, kept, rejected int
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(line, "texts ") {
			fmt.Sscanf(strings.TrimSpace(strings.TrimPrefix(line, "texts ")), "%d in, %d out to texts/, %d rejected", &in, &kept, &rejected)
		}
	}
	if in != rows || kept != rows || rejected != 0 {
		t.Errorf("%d rows in, %d out, %d rejected:\n%s", in, kept, rejected, out)
	}
	cached, err := inFolder(dir, "cache", "export", "replies")
	if err != nil {
		t.Fatalf("%v\n%s", err, cached)
	}
	asked := server.Counts().Asked
	if replies := strings.Count(cached, "\n"); len(asked) == 0 || replies < len(asked)*9/10 || replies > len(asked) {
		t.Errorf("%d replies to %d questions", replies, len(asked))
	}
}

// inFolder runs the program in a folder and returns what it prints.
func inFolder(dir string, args ...string) (string, error) {
	c := exec.Command("capgraph", args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	return string(out), err
}

// modelFolder makes a folder with captions and a recipe that asks a model.
func modelFolder(t *testing.T, rows int, endpoint, settings string) string {
	t.Helper()
	dir := t.TempDir()
	var captions strings.Builder
	for i := range rows {
		fmt.Fprintf(&captions, "http://x/%d.jpg\ta dog on a table near number %d\n", i, i)
	}
	recipe := fmt.Sprintf("source: {format: cc12m, paths: c.tsv}\noutput: {dir: out}\nparse: {parser: llm, model: fake, endpoints: %s, %s}\n", endpoint, settings)
	for name, text := range map[string]string{"c.tsv": captions.String(), "pipeline.yaml": recipe} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// index runs the pass that asks nothing.
func index(t *testing.T, dir string) {
	t.Helper()
	c := exec.Command("capgraph", "run", "--only", "index", "--progress", "none")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// A run that is killed asks again only for what was in flight: sent, and its
// answer not yet on disk. That is never more than max_in_flight.
func TestKilledRunsAskForNothingTwice(t *testing.T) {
	const (
		each = 60 // captions a kill
		most = 16 // in flight
	)
	server := fakevllm.New(fakevllm.Config{Slots: 8, Mean: 100 * time.Millisecond})
	defer server.Close()
	dir := modelFolder(t, each**kills, server.URL, fmt.Sprintf("max_in_flight: %d", most))
	start := func() *exec.Cmd {
		c := exec.Command("capgraph", "run", "--only", "parse", "--progress", "none")
		c.Dir = dir
		return c
	}
	index(t, dir)
	seed := uint64(1)
	for range *kills {
		c := start()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		seed = seed*6364136223846793005 + 1442695040888963407
		more := server.Counts().Requests + 1 + int(seed>>33)%(each*3/4)
		for server.Counts().Requests < more {
			time.Sleep(time.Millisecond)
		}
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		c.Wait()
	}
	if out, err := start().CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c, allowed := server.Counts(), (each+most)**kills
	t.Logf("%d requests for %d captions over %d kills; %d allowed", c.Requests, each**kills, *kills, allowed)
	if c.Requests > allowed {
		t.Errorf("%d requests for %d captions, more than the %d that what was in flight explains", c.Requests, each**kills, allowed)
	}
	if len(c.Answered) != each**kills {
		t.Errorf("%d of %d captions were answered", len(c.Answered), each**kills)
	}
}
