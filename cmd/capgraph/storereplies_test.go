package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"capgraph/testing/fakevllm"
	"capgraph/testing/storetest"
)

// manyCaptions is a folder as modelFolder makes it, in shards of so many rows, and what
// runs the program there with a cache at url.
func manyCaptions(t *testing.T, rows, shard int, endpoint, url, settings string) (dir string, run func(args ...string) *exec.Cmd) {
	t.Helper()
	dir = modelFolder(t, rows, endpoint, settings)
	return dir, func(args ...string) *exec.Cmd {
		c := exec.Command("capgraph", append([]string{"run", "--progress", "none", "--set", "parse.cache=" + url + "/replies", "--set", fmt.Sprint("output.shard_rows=", shard)}, args...)...)
		c.Dir = dir
		return c
	}
}

// TestStoresKeepReplies parses in two parts at once that have their replies in a bucket, and
// makes texts with replacements of the model: the same again, and elsewhere, asks nothing and
// writes the same bytes.
func TestStoresKeepReplies(t *testing.T) {
	const rows, shard = 120, 10
	url, kept := storetest.S3Folder(t)
	server := fakevllm.New(fakevllm.Config{Slots: 16, Mean: 5 * time.Millisecond, Answer: answerEither})
	defer server.Close()
	dir, run := manyCaptions(t, rows, shard, server.URL, url, "reply: plain")
	must(t, run("--only", "index"))
	parts := []*exec.Cmd{run("--only", "parse", "--shard", "0/2"), run("--only", "parse", "--shard", "1/2")}
	for _, part := range parts {
		if err := part.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range parts {
		if err := part.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	for caption, n := range server.Counts().Asked {
		if n != 1 {
			t.Errorf("%q was asked %d times", caption, n)
		}
	}
	objects, err := filepath.Glob(filepath.Join(kept, "replies", "replies-*.jsonl.zst"))
	if err != nil || len(objects) == 0 || len(objects) > rows/shard {
		t.Errorf("%d objects for %d shards, %v", len(objects), rows/shard, err)
	}
	llm := []string{"--set", "negatives.replacements=llm"}
	must(t, run(llm...))
	asked := server.Counts().Requests
	must(t, run(append(llm, "--set", "output.dir=again")...))
	must(t, run(append(llm, "--set", "output.dir=offline", "--set", "parse.endpoints=[]")...))
	if n := server.Counts().Requests; n != asked {
		t.Errorf("%d requests for replies that are there", n-asked)
	}
	want, _ := tree(t, filepath.Join(dir, "out"))
	for _, out := range []string{"again", "offline"} {
		got, _ := tree(t, filepath.Join(dir, out))
		equal(t, want, got)
	}
	tidyReplies(t, dir, url+"/replies")
	must(t, run(append(llm, "--set", "output.dir=tidied", "--set", "parse.endpoints=[]")...))
	got, _ := tree(t, filepath.Join(dir, "tidied"))
	equal(t, want, got)
}

// tidyReplies looks at and tidies a folder of replies as people do.
func tidyReplies(t *testing.T, dir, url string) {
	t.Helper()
	for _, c := range []struct{ args, says string }{
		{"cache stats " + url, "caption-graph/2"},
		{"cache export " + url, `"model":"fake"`},
		{"cache merge " + url, "replies moved into one file"},
		{"cache stats " + url, "1 file, "},
		{"cache prune " + url + " --model other", "0 replies removed"},
		{"why out --replies " + url + " --key " + keyOf(t, dir), "replace_object"},
		{"report out -o page.html --replies " + url, ""},
		{"plan --set negatives.replacements=llm --set parse.endpoints=[] --set parse.cache=" + url, "parse"},
		{"llm export out -o questions.jsonl --set parse.cache=" + url, "120 rows, 0 requests"},
	} {
		out, err := inFolder(dir, strings.Fields(c.args)...)
		if err != nil || !strings.Contains(out, c.says) {
			t.Errorf("%s: %v, says\n%s", c.args, err, out)
		}
	}
}

// keyOf is the key of a row of the folder out.
func keyOf(t *testing.T, dir string) string {
	t.Helper()
	shards, _ := filepath.Glob(filepath.Join(dir, "out", "texts", "*.parquet"))
	if len(shards) == 0 {
		t.Fatal("no texts")
	}
	out, err := inFolder(dir, "cat", shards[0], "--columns", "key", "--limit", "1")
	_, key, ok := strings.Cut(out, `"key":"`)
	if err != nil || !ok {
		t.Fatalf("%v: %s", err, out)
	}
	key, _, _ = strings.Cut(key, `"`)
	return key
}

// TestStoresKeepRepliesOfAKilledRun kills a run that has its replies in a bucket: those of
// shards that were finished are not asked for again. Of a run that was told to stop that is
// so of all but what was in flight.
func TestStoresKeepRepliesOfAKilledRun(t *testing.T) {
	const rows, shard, most = 240, 40, 4
	for signal, may := range map[syscall.Signal]int{syscall.SIGKILL: 2*shard + most, syscall.SIGTERM: most} { // two shards are in hand
		t.Run(signal.String(), func(t *testing.T) {
			url, kept := storetest.S3Folder(t)
			server := fakevllm.New(fakevllm.Config{Slots: most, Mean: 20 * time.Millisecond})
			defer server.Close()
			dir, run := manyCaptions(t, rows, shard, server.URL, url, fmt.Sprintf("reply: plain, max_in_flight: %d", most))
			must(t, run("--only", "index"))
			c := run("--only", "parse", "--workers", "2")
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			entries := filepath.Join(dir, "out", ".capgraph", "entries", "parse", "train-*.json")
			var finished []string
			for deadline := time.Now().Add(time.Minute); len(finished) < 2 && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
				finished, _ = filepath.Glob(entries)
			}
			more := server.Counts().Requests + shard/2 // replies that no shard is finished with
			for deadline := time.Now().Add(time.Minute); server.Counts().Requests < more && time.Now().Before(deadline); {
				time.Sleep(time.Millisecond)
			}
			if err := c.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if err := c.Wait(); err == nil || len(finished) < 2 {
				t.Fatalf("%d shards were finished: %v", len(finished), err)
			}
			if objects, _ := os.ReadDir(filepath.Join(kept, "replies")); len(objects) == 0 {
				t.Error("no replies are in the bucket")
			}
			must(t, run("--only", "parse"))
			asked := server.Counts()
			for _, entry := range finished {
				var at int
				if _, err := fmt.Sscanf(filepath.Base(entry), "train-%05d-", &at); err != nil {
					t.Fatal(entry, err)
				}
				for row := at * shard; row < (at+1)*shard; row++ {
					if n := asked.Asked[fmt.Sprintf("a dog on a table near number %d", row)]; n != 1 {
						t.Errorf("row %d of a finished shard was asked %d times", row, n)
					}
				}
			}
			if again := asked.Requests - rows; again > may {
				t.Errorf("%d requests were made again, %d may be", again, may)
			}
		})
	}
}
