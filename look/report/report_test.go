package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/look/report"
	"capgraph/pipeline"
	"capgraph/stages"
	"capgraph/store"
)

// run makes a folder of captions, each a caption of an image: {{image, caption}, …}.
func run(t testing.TB, only folder.Pass, sets []string, captions ...[2]string) folder.Folder {
	t.Helper()
	dir := t.TempDir()
	var lines bytes.Buffer
	for _, c := range captions {
		if err := json.NewEncoder(&lines).Encode(map[string]string{"image": c[0], "caption": c[1]}); err != nil {
			t.Fatal(err)
		}
	}
	source := filepath.Join(dir, "captions.jsonl")
	if err := os.WriteFile(source, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out := folder.Folder{Store: store.Local{}, Dir: filepath.Join(dir, "out")}
	c, err := config.Load("../../pipeline.yaml", append([]string{"source.format=jsonl", "source.paths=" + source,
		"source.columns={caption: caption, image: image}", "output.dir=" + out.Dir, "negatives.balance.enabled=false"}, sets...))
	if err != nil {
		t.Fatal(err)
	}
	corpus := func() (*pipeline.Corpus, error) { return pipeline.OpenCorpus(out.Store, c.Source.Options) }
	passes, err := stages.Passes(c, out, corpus)
	if err != nil {
		t.Fatal(err)
	}
	r := &pipeline.Run{Folder: out, Corpus: corpus, Output: c.Output, Passes: passes, Workers: 1, Env: pipeline.Env{Mem: memory.DefaultAllocator, Seed: c.Seed}}
	if err := r.Do(context.Background(), only); err != nil {
		t.Fatal(err)
	}
	return out
}

// mixed are captions of which some are rejected, one names no object, and one
// has no negative.
func mixed() [][2]string {
	all := [][2]string{
		{"bad", ""}, {"bad", "12 34"}, {"bad", "日本語の字幕だけ"}, {"empty", "Hello there!"}, {"none", "to be or not to be"},
		{"evil", `a <script>alert("red")</script> bus & a "blue" car <b>near</b> a tree`},
		{"größe", "Eine größere Straße – a café with two naïve waiters"},
	}
	for i := range 60 {
		image := fmt.Sprintf("http://example.org/%d.jpg?a=1&b=<2>", i/2)
		all = append(all, [2]string{image, fmt.Sprintf("a %s %s next to a %s %s",
			[]string{"red", "blue", "green"}[i%3], []string{"bus", "dog"}[i%2], []string{"tall", "small"}[i/3%2], []string{"man", "tree", "horse"}[i/5%3])})
	}
	return all
}

func write(t testing.TB, f folder.Folder, other *folder.Folder) string {
	t.Helper()
	var page bytes.Buffer
	if err := report.WriteFolder(context.Background(), &page, f, other, report.FolderOptions{Seed: 7, Command: "capgraph report X", Version: "v0"}); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

var (
	stepPattern = regexp.MustCompile(`(?s)<table class="step">.*?</table>`)
	whole       = regexp.MustCompile(`<th class="n">(\d+)</th>`)
	number      = regexp.MustCompile(`<td class="n">(\d+)</td>`)
)

// checkFunnel fails unless the parts of each step add up to it.
func checkFunnel(t testing.TB, page string) {
	t.Helper()
	steps := stepPattern.FindAllString(page, -1)
	if len(steps) == 0 {
		t.Error("the page has no funnel")
	}
	for _, step := range steps {
		want, _ := strconv.Atoi(whole.FindStringSubmatch(step)[1])
		sum := 0
		for _, m := range number.FindAllStringSubmatch(step, -1) {
			n, _ := strconv.Atoi(m[1])
			sum += n
		}
		if sum != want {
			t.Errorf("the parts add up to %d, not %d:\n%s", sum, want, step)
		}
	}
}

func TestReportOfACorpusWithEverything(t *testing.T) {
	captions := mixed()
	f := run(t, "", []string{"output.shard_rows=13"}, captions...)
	page := write(t, f, nil)
	checkFunnel(t, page)
	for _, want := range []string{
		`<th>rows of the corpus</th><th class="n">` + strconv.Itoa(len(captions)), "rejected: empty", "rejected: no_letters", "rejected: not_english",
		"日本語の字幕だけ", "no graph: the caption names no object", "without a negative", "No shard failed.",
		"capgraph rejects " + f.Dir + " --reason empty", "capgraph sample " + f.Dir + " --changed object --method", "capgraph why " + f.Dir,
		"<b>known_graph</b>", "größe", "seed 7", "capgraph report X",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "<b>near") {
		t.Error("a caption is not escaped")
	}
	for _, loaded := range []string{`src="`, `href="http`, "url(http", "@import"} {
		if strings.Contains(page, loaded) {
			t.Errorf("the page loads something: %s", loaded)
		}
	}
	if again := write(t, f, nil); again != page {
		t.Error("the same seed gives another page")
	}
}

func TestReportShowsSiblingsBeneathPairs(t *testing.T) {
	page := write(t, run(t, "", nil, [2]string{"1.jpg", "a red bus next to a blue car"}, [2]string{"1.jpg", "two vehicles in a street"},
		[2]string{"2.jpg", "a green bus behind a white car"}), nil)
	pair := regexp.MustCompile(`(?s)captions of the image</summary>(.*?)</details>`).FindAllStringSubmatch(page, -1)
	found := false
	for _, p := range pair {
		found = found || strings.Contains(p[1], "a red bus next to a blue car") && strings.Contains(p[1], "two vehicles in a street")
	}
	if !found {
		t.Errorf("no pair has both captions of its image beneath: %q", pair)
	}
}

func TestReportOfSmallFolders(t *testing.T) {
	for _, c := range []struct {
		name     string
		only     folder.Pass
		captions [][2]string
		want     []string
	}{
		{"one row", "", [][2]string{{"1.jpg", "a red bus"}}, []string{`parsed into a graph</td><td class="n">1<`, "<b>Complete: 1 of 1 rows (100.0 %) have texts, and "}},
		{"all rejected", "", [][2]string{{"1.jpg", ""}}, []string{"rejected: empty", "none in the sample", "<b>Complete: 0 of 1 rows (0.0 %) have texts.", "100.0 % of the rows were rejected, most as &#34;empty&#34;"}},
		{"not parsed", folder.PassParse, nil, []string{`rows of the corpus</th><th class="n">0<`}},
		{"no texts yet", folder.PassParse, [][2]string{{"1.jpg", "a red bus"}}, []string{"no texts yet", "<h3>Random</h3>", `<b class="bad">Not complete: 0 of 1 rows (0.0 %) have texts.`, "not finished: 1 row; run again"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := write(t, run(t, c.only, nil, c.captions...), nil)
			checkFunnel(t, page)
			for _, want := range c.want {
				if !strings.Contains(page, want) {
					t.Errorf("the page lacks %q", want)
				}
			}
		})
	}
}

func TestReportOfFailedShards(t *testing.T) {
	f := run(t, "", []string{"output.shard_rows=13"}, mixed()...)
	data := filepath.Join(f.Dir, ".capgraph")
	for _, name := range []string{"entries/texts", "entries/parse"} {
		entries, err := filepath.Glob(filepath.Join(data, name, "*.json"))
		if err != nil || len(entries) < 3 {
			t.Fatal(entries, err)
		}
		if err := os.Remove(entries[1]); err != nil {
			t.Fatal(err)
		}
		shard := strings.TrimSuffix(filepath.Base(entries[1]), ".json")
		failed := filepath.Join(data, "failed", filepath.Base(name))
		if err := os.MkdirAll(failed, 0o755); err != nil {
			t.Fatal(err)
		}
		failure, _ := json.Marshal(folder.Failure{Pass: folder.Pass(filepath.Base(name)), Shard: shard, Rows: 13, Error: "captions.jsonl: row 14: <broken> & cut off"})
		if err := os.WriteFile(filepath.Join(failed, shard+".json"), failure, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page := write(t, f, nil)
	checkFunnel(t, page)
	for _, want := range []string{`<b class="bad">Not complete: `, "in shards that failed: 2", "2 shards failed", "row 14: &lt;broken&gt; &amp; cut off", `in shards that failed</td><td class="n">1`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Index(page, "2 shards failed") > strings.Index(page, "rows of the corpus") {
		t.Error("what failed does not come first")
	}
}

func TestReportStaysSmall(t *testing.T) {
	long := strings.Repeat("a red bus & a <tall> man near two small dogs and ", 12)
	var captions [][2]string
	for i := range 60 {
		captions = append(captions, [2]string{fmt.Sprint(i), fmt.Sprintf("%s %d", long, i)}, [2]string{fmt.Sprint(i), strings.Repeat("日本", 20_000/(i+1))})
	}
	f := run(t, "", []string{"clean.max_words=100000", "clean.max_chars=1000000"}, captions...)
	if page := write(t, f, &f); len(page) > 5_000_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

func TestReportComparesFolders(t *testing.T) {
	a := run(t, "", nil, mixed()...)
	b := run(t, "", []string{"negatives.max_negatives=1"}, mixed()...)
	page := write(t, a, &b)
	checkFunnel(t, page)
	for _, f := range []folder.Folder{a, b} {
		if strings.Count(page, "<code>"+f.Dir+"</code>") < 3 {
			t.Errorf("%s is not shown beside the other", f.Dir)
		}
	}
}

func TestReportOfNoFolder(t *testing.T) {
	var page bytes.Buffer
	f := folder.Folder{Store: store.Local{}, Dir: t.TempDir()}
	err := report.WriteFolder(context.Background(), &page, f, nil, report.FolderOptions{})
	if err == nil || !strings.Contains(err.Error(), f.Dir+" is not a folder that 'capgraph run' wrote") {
		t.Errorf("the error is %v", err)
	}
	f = run(t, "", nil, mixed()...)
	shards, _ := filepath.Glob(filepath.Join(f.Dir, "texts", "*.parquet"))
	if err := os.Truncate(shards[0], 40); err != nil {
		t.Fatal(err)
	}
	if err := report.WriteFolder(context.Background(), &page, f, nil, report.FolderOptions{}); err == nil || !strings.Contains(err.Error(), shards[0]) {
		t.Errorf("the error does not name the shard: %v", err)
	}
	if page.Len() > 0 {
		t.Error("half a page was written")
	}
}
