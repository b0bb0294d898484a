package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"capgraph/store"
	"capgraph/testing/fakevllm"
	"capgraph/testing/longtest"
)

var (
	killFor  = flag.Duration("kill-for", longtest.Pick(3*time.Second, 0), "how long runs are killed again and again")
	killSeed = flag.Uint64("kill-seed", 1, "seed of the moments at which runs are killed")
)

// sampleRows are the rows of the sample corpus.
const sampleRows = 242

// workplace is a folder with the recipe and the sample corpus.
func workplace(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for from, to := range map[string]string{"../../pipeline.yaml": "pipeline.yaml", "../../testdata/cc12m.tsv": "testdata/cc12m.tsv"} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		to = filepath.Join(dir, to)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// program is a call of capgraph run in a workplace.
func program(dir, out string, args ...string) *exec.Cmd {
	c := exec.Command("capgraph", append([]string{"run", "--progress", "none", "--set", "output.dir=" + out,
		"--set", "output.shard_rows=20", "--set", "negatives.balance.sample=40"}, args...)...)
	c.Dir = dir
	return c
}

func must(t testing.TB, c *exec.Cmd) {
	t.Helper()
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", c.Args, err, out)
	}
}

// tree gives the SHA-256 of all files of a folder but the card, which names
// the folder, and how many of them are temporary. A folder that was not made
// yet has none.
func tree(t testing.TB, dir string) (hashes map[string]string, temporary int) {
	t.Helper()
	hashes = map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if path == dir && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() || d.Name() == "README.md" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		hashes[name] = fmt.Sprintf("%x", sha256.Sum256(data))
		if strings.Contains(name, store.TempPrefix) {
			temporary++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return hashes, temporary
}

func equal(t testing.TB, want, got map[string]string) {
	t.Helper()
	for name, sum := range want {
		if got[name] != sum {
			t.Errorf("%s is another or not there", name)
		}
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("%s is left over", name)
		}
	}
}

// inodes gives the inode of each file of data and of each entry: a file that is
// made again has another.
func inodes(t testing.TB, dir string) map[string]uint64 {
	t.Helper()
	all := map[string]uint64{}
	for _, pattern := range []string{".capgraph/entries/*/*.json", ".capgraph/index.json"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(filepath.Base(name), store.TempPrefix) {
				all[name] = info.Sys().(*syscall.Stat_t).Ino
			}
		}
	}
	return all
}

// Runs that are killed at any moment, again and again, come to the same bytes;
// what is finished is not done again, and nothing is left behind.
func TestKilledAgainAndAgain(t *testing.T) { inPlaces(t, killedAgainAndAgain) }

func killedAgainAndAgain(t *testing.T, at place) {
	dir := at.dir
	began := time.Now()
	must(t, program(dir, at.out("whole")))
	whole := time.Since(began)
	want, _ := tree(t, at.folder("whole"))
	state := *killSeed
	kills, folders, entries, left := 0, 0, 0, 0
	for folders == 0 || kills == 0 && folders < 10 || time.Since(began) < *killFor {
		out := fmt.Sprint("killed", folders)
		path := at.folder(out)
		killed := kills
		for done := false; !done; {
			before, start := inodes(t, path), time.Now()
			c := program(dir, at.out(out), "--workers", fmt.Sprint(1+kills%3))
			var said bytes.Buffer
			c.Stdout, c.Stderr = &said, &said
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			state = state*6364136223846793005 + 1442695040888963407
			kill := time.AfterFunc(time.Duration(0.7*float64(whole)*float64(state>>40)/(1<<24)), func() { c.Process.Kill() })
			err := c.Wait()
			kill.Stop()
			done = err == nil
			// A machine that is faster or slower by now than it was.
			switch {
			case !done:
				whole += whole / 10
			case kills == killed:
				whole = time.Since(start)
			}
			if status, ok := c.ProcessState.Sys().(syscall.WaitStatus); !done && (!ok || !status.Signaled()) {
				t.Fatalf("%v\n%s", err, said.String())
			}
			if !done {
				kills++
			}
			after := inodes(t, path)
			for name, inode := range before {
				// The tasks of the pass count are tidied away when it is done.
				_, there := after[name]
				if gone := !there && strings.Contains(name, "/entries/count/"); after[name] != inode && !gone {
					t.Errorf("%s was done again", name)
				}
			}
			for name := range after {
				if _, there := before[name]; !there {
					entries++
				}
			}
			_, temporary := tree(t, path)
			left = max(left, temporary)
		}
		got, temporary := tree(t, path)
		if temporary > 0 {
			t.Errorf("%d temporary files stay", temporary)
		}
		equal(t, want, got)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		folders++
	}
	if kills == 0 {
		t.Error("nothing was killed")
	}
	t.Logf("%d kills, %d folders finished, %d rows in folders, %d entries made, none twice; at most %d temporary files after a kill, 0 at the end; 0 differences", kills, folders, folders*sampleRows, entries, left)
}

// Runs with one, two and eight workers come to the same bytes.
func TestSameBytesOfWorkers(t *testing.T) { inPlaces(t, sameBytesOfWorkers) }

func sameBytesOfWorkers(t *testing.T, at place) {
	must(t, program(at.dir, at.out("0"), "--workers", "1"))
	want, _ := tree(t, at.folder("0"))
	for i := range longtest.Pick(9, 2) {
		out := fmt.Sprint(1 + i)
		must(t, program(at.dir, at.out(out), "--workers", []string{"2", "8", "1"}[i%3]))
		got, _ := tree(t, at.folder(out))
		equal(t, want, got)
	}
}

// Three parts in some orders come to the bytes of one run.
func TestSameBytesOfParts(t *testing.T) { inPlaces(t, sameBytesOfParts) }

func sameBytesOfParts(t *testing.T, at place) {
	must(t, program(at.dir, at.out("whole")))
	want, _ := tree(t, at.folder("whole"))
	orders := [][]string{{"0/3", "1/3", "2/3"}, {"2/3", "1/3", "0/3"}, {"1/3", "2/3", "0/3"}, {"2/3", "0/3", "1/3"}, {"1/3", "0/3", "2/3"}, {"0/3", "2/3", "1/3"}}
	for i := range longtest.Pick(2, 1) {
		out := fmt.Sprint("parts", i)
		for j, pass := range []string{"index", "parse", "tally", "count", "balance", "texts"} {
			for _, part := range orders[(5*i+j)%len(orders)] {
				must(t, program(at.dir, at.out(out), "--only", pass, "--shard", part))
			}
		}
		got, _ := tree(t, at.folder(out))
		equal(t, want, got)
	}
}

// Parts that run at once, and the same part twice, come to the same bytes.
func TestCrowded(t *testing.T) { inPlaces(t, crowded) }

func crowded(t *testing.T, at place) {
	dir := at.dir
	must(t, program(dir, at.out("whole")))
	want, _ := tree(t, at.folder("whole"))
	for _, pass := range []string{"index", "parse", "tally", "count", "balance", "texts"} {
		var all []*exec.Cmd
		said := make([]bytes.Buffer, 4)
		for i, part := range []string{"2/3", "0/3", "1/3", "0/3"} {
			c := program(dir, at.out("crowd"), "--only", pass, "--shard", part)
			c.Stdout, c.Stderr = &said[i], &said[i]
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			all = append(all, c)
		}
		for i, c := range all {
			if err := c.Wait(); err != nil {
				t.Errorf("%v: %v\n%s", c.Args, err, said[i].String())
			}
		}
	}
	got, _ := tree(t, at.folder("crowd"))
	equal(t, want, got)
}

// A run that is told to stop says how to go on, and another goes on. One under nohup is
// not stopped by a hangup.
func TestStopped(t *testing.T) {
	// Tests that are themselves run by nohup would hand on that hangups are ignored.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	dir := workplace(t)
	of := func(rows int, out string) *exec.Cmd {
		var corpus bytes.Buffer
		for i := range rows {
			fmt.Fprintf(&corpus, "http://x/%d.jpg\ta dog number %d sits on a red table next to a cat\n", i, i)
		}
		name := fmt.Sprintf("%d.tsv", rows)
		if err := os.WriteFile(filepath.Join(dir, name), corpus.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return program(dir, out, "--set", "source.paths="+name, "--set", "output.shard_rows=100000")
	}
	// signalled starts c, which writes to out, sends it a signal when it parses, and gives
	// what it said and how it ended.
	late := false // the machine was so slow that the program ended before it had tidied up
	signalled := func(c *exec.Cmd, out string, sig os.Signal) (string, error) {
		var said bytes.Buffer
		c.Stderr = &said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, out, ".capgraph/plans/parse.json")); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if err := c.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		signalledAt := time.Now()
		err := c.Wait()
		late = time.Since(signalledAt) >= grace
		return said.String(), err
	}
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		out := "stopped by " + sig.String()
		c := of(60_000, out)
		said, err := signalled(c, out, sig)
		if err == nil || c.ProcessState.ExitCode() != 1 {
			t.Errorf("%v: %v", sig, err)
		}
		if !strings.Contains(said, "run the same command again to resume") {
			t.Errorf("%v: it says %q", sig, said)
		}
		if _, temporary := tree(t, filepath.Join(dir, out)); temporary > 0 && !late {
			t.Errorf("%v: %d temporary files stay", sig, temporary)
		}
	}
	c := of(500, "hung up")
	c.Path, c.Args = "/bin/sh", append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`, c.Path}, c.Args[1:]...)
	if said, err := signalled(c, "hung up", syscall.SIGHUP); err != nil {
		t.Errorf("under nohup: %v\n%s", err, said)
	}
}

// A run that waits for a model's answer is stopped all the same.
func TestStoppedWhileItWaits(t *testing.T) {
	server := fakevllm.New(fakevllm.Config{Slots: 1, Mean: time.Hour})
	defer server.Close()
	dir := workplace(t)
	c := program(dir, "waits", "--set", "parse.parser=llm", "--set", "parse.model=fake", "--set", "parse.endpoints="+server.URL)
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for server.Counts().Requests == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err == nil || c.ProcessState.ExitCode() != 1 || !strings.Contains(said.String(), "run the same command again to resume") {
		t.Errorf("%v: it says %q", err, said.String())
	}
}
