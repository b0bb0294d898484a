package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/images"
	"capgraph/look/inspect"
	"capgraph/look/serve"
	"capgraph/pipeline"
	"capgraph/schemas"
	"capgraph/stages"
	"capgraph/store"
	"capgraph/testing/faultstore"
)

// run makes a folder of captions of one kind, two an image.
func run(t testing.TB, sets ...string) folder.Folder {
	t.Helper()
	dir := t.TempDir()
	var lines bytes.Buffer
	encode := json.NewEncoder(&lines)
	for i := range 30 {
		if err := encode.Encode(map[string]string{"image": fmt.Sprintf("%d.jpg", i/2), "caption": fmt.Sprintf("a %s %s next to a %s man %d",
			[]string{"red", "blue", "green"}[i%3], []string{"bus", "dog"}[i%2], []string{"tall", "small"}[i/3%2], i)}); err != nil {
			t.Fatal(err)
		}
	}
	lines.WriteString(`{"image": "x", "caption": ""}` + "\n" + `{"image": "y", "caption": "a <script>alert(1)</script> zebra & a horse"}` + "\n")
	source := filepath.Join(dir, "captions.jsonl")
	if err := os.WriteFile(source, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return runOver(t, dir, false, sets...)
}

// runOver runs all passes over the captions of a folder, or lets those that are new join
// what is made of them.
func runOver(t testing.TB, dir string, joins bool, sets ...string) folder.Folder {
	t.Helper()
	out := folder.Folder{Store: store.Local{}, Dir: filepath.Join(dir, "out")}
	c, err := config.Load("../../pipeline.yaml", append([]string{"source.format=jsonl", "source.paths=" + filepath.Join(dir, "*.jsonl"),
		"source.columns={caption: caption, image: image}", "output.dir=" + out.Dir, "output.shard_rows=10", "negatives.balance.enabled=false"}, sets...))
	if err != nil {
		t.Fatal(err)
	}
	corpus := func() (*pipeline.Corpus, error) { return pipeline.OpenCorpus(out.Store, c.Source.Options) }
	passes, err := stages.Passes(c, out, corpus)
	if err != nil {
		t.Fatal(err)
	}
	r := &pipeline.Run{Folder: out, Corpus: corpus, Output: c.Output, Passes: passes, Workers: 1, Append: joins, Env: pipeline.Env{Mem: memory.DefaultAllocator, Seed: c.Seed}}
	if err := r.Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	return out
}

// start serves a folder. The URL of the server that it returns ends with the token.
func start(t testing.TB, o serve.Options) *httptest.Server {
	t.Helper()
	server, err := serve.New(o)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(server)
	t.Cleanup(s.Close)
	s.URL = strings.TrimSuffix(server.URL(s.Listener.Addr()), "/")
	return s
}

// get returns the status and the body of a page.
func get(t testing.TB, address string, change ...func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range change {
		c(r)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func TestSearch(t *testing.T) {
	f := run(t)
	s := start(t, serve.Options{Folder: f})
	for _, c := range []struct {
		query string
		want  string
	}{
		{"", "20 found in 20 of 31 rows"},
		{"word=zebra", "1 found in 31 of 31 rows; there are no more rows"},
		{"word=Next+To", "20 found"},
		{"object=dog", "15 found in 31 of 31 rows"},
		{"object=dog&attribute=red", "5 found in 31 of 31 rows"},
		{"attribute=tall", "15 found"},
		{"object=DOG&attribute=Red", "5 found in 31 of 31 rows"},
		{"relation=next+to&object=bus", "15 found"},
		{"reason=empty", "1 found in 1 of 1 row"},
		{"method=swap_adjectives", "rows"},
		{"word=nowhere", `<option value="replace_object">`},
		{"word=nowhere", `<option value="empty">`},
		{"word=nowhere", "0 found in 31 of 31 rows"},
		{"word=bus&at=0.99", "10 found in 21 of 31 rows; there are no more rows"}, // the rows of the other shards
		{"word=bus&at=99.0", "0 found in 0 of 31 rows"},
	} {
		if status, page := get(t, s.URL+"/?"+c.query); status != http.StatusOK || !strings.Contains(page, c.want) {
			t.Errorf("%q: %d, the page lacks %q:\n%s", c.query, status, c.want, page)
		}
	}
	_, page := get(t, s.URL+"/?word=zebra")
	if strings.Contains(page, "<script>alert") {
		t.Error("a caption is not escaped")
	}
	for _, bad := range []string{"at=x", "at=-1.2", "at=0.99999999999999999999", "word=" + strings.Repeat("x", 201), "method=a&object=b", "reason=a&relation=b"} {
		if status, _ := get(t, s.URL+"/?"+bad); status != http.StatusBadRequest {
			t.Errorf("%q: status %d", bad, status)
		}
	}
	if status, _ := get(t, s.URL+"/?word="+strings.Repeat("x", 5000)); status != http.StatusRequestURITooLong {
		t.Errorf("a long query has status %d", status)
	}
}

func TestSearchGoesOnWhereItStopped(t *testing.T) {
	s := start(t, serve.Options{Folder: run(t)})
	_, page := get(t, s.URL+"/?object=man")
	_, rest, ok := strings.Cut(page, `id="next" href="`)
	if !ok {
		t.Fatal("the first page has no next one")
	}
	next, _, _ := strings.Cut(rest, `"`)
	_, second := get(t, s.URL+"/"+html.UnescapeString(next))
	if first := strings.Count(page, "card hit"); first+strings.Count(second, "card hit") != 30 {
		t.Errorf("%d rows on the first page and %d on the second are not 30", first, strings.Count(second, "card hit"))
	}
}

// TestRowHasItsImage serves images of a folder: one that is there, one that is missing, one that is
// no image, and none without a set of images.
func TestRowHasItsImage(t *testing.T) {
	f, dir := run(t), t.TempDir()
	const pixel = "GIF89a\x01\x00\x01\x00\x00\x00\x00;"
	for name, data := range map[string]string{"0.jpg": pixel, "1.jpg": "<script>alert(1)</script>"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set, err := images.Open(store.Local{}, images.Options{Paths: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	with, without := start(t, serve.Options{Folder: f, Images: set}), start(t, serve.Options{Folder: f})
	shard := "train-00000-of-00004"
	row := func(n int) string { return fmt.Sprintf("row?shard=%s&row=%d", shard, n) }
	_, page := get(t, with.URL+"/"+row(0))
	_, rest, found := strings.Cut(page, `<img src="`)
	address, _, _ := strings.Cut(rest, `"`)
	if status, body := get(t, with.URL+"/"+html.UnescapeString(address)); !found || status != http.StatusOK || body != pixel {
		t.Errorf("the image of row 0 at %q: %d %q", address, status, body)
	}
	if status, body := get(t, with.URL+"/image?shard="+shard+"&row=2"); status != http.StatusNotFound || !strings.Contains(body, "no known form") {
		t.Errorf("a script as an image: %d %q", status, body)
	}
	if status, _ := get(t, with.URL+"/image?shard="+shard+"&row=4"); status != http.StatusNotFound {
		t.Errorf("a missing image: %d", status)
	}
	if _, page := get(t, without.URL+"/"+row(0)); strings.Contains(page, "<img") {
		t.Error("without images the page has one")
	}
	if status, body := get(t, without.URL+"/image?shard="+shard+"&row=0"); status != http.StatusNotFound || !strings.Contains(body, "--images") {
		t.Errorf("without images: %d %q", status, body)
	}
}

func TestRow(t *testing.T) {
	f := run(t)
	s := start(t, serve.Options{Folder: f})
	_, page := get(t, s.URL+"/?word=bus")
	_, rest, _ := strings.Cut(page, `href="row?`)
	link, _, _ := strings.Cut(rest, `"`)
	status, page := get(t, s.URL+"/row?"+html.UnescapeString(link))
	for _, want := range []string{"<svg role", `class="no"`, "a blue dog next to a tall man 1", "<h2>Dropped candidates</h2>", "known_graph"} {
		if status != http.StatusOK || !strings.Contains(page, want) {
			t.Errorf("status %d, the page lacks %q", status, want)
		}
	}
	if status, page := get(t, s.URL+"/row?key=none"); status != http.StatusNotFound || !strings.Contains(page, "no row with the key") {
		t.Errorf("a key that is not there: %d %s", status, page)
	}
	shards, err := filepath.Glob(filepath.Join(f.Dir, "graphs", "*.parquet"))
	if err != nil || len(shards) == 0 {
		t.Fatal(err)
	}
	if err := os.Remove(shards[0]); err != nil {
		t.Fatal(err)
	}
	if status, page := get(t, s.URL+"/"); status != http.StatusInternalServerError || !strings.Contains(page, filepath.Base(shards[0])) {
		t.Errorf("a shard that was removed meanwhile: %d %s", status, page)
	}
}

// A folder that is damaged is told as such, not as rows that are not there.
func TestDamagedFolder(t *testing.T) {
	a, b := run(t), run(t)
	_, page := get(t, start(t, serve.Options{Folder: b}).URL+"/?word=bus")
	_, rest, _ := strings.Cut(page, `href="row?`)
	link, _, _ := strings.Cut(rest, `"`)
	for _, output := range []string{"texts", "graphs"} {
		shards, err := filepath.Glob(filepath.Join(b.Dir, output, "*.parquet"))
		if err != nil || len(shards) == 0 {
			t.Fatal(shards, err)
		}
		for _, shard := range shards {
			if err := os.Truncate(shard, 1000); err != nil {
				t.Fatal(err)
			}
		}
		s := start(t, serve.Options{Folder: a, Compare: &b, Judgements: filepath.Join(t.TempDir(), "judgements.jsonl")})
		what := map[string]string{"texts": "negatives", "graphs": "graphs"}[output]
		for _, address := range []string{s.URL + "/judge?what=" + what, start(t, serve.Options{Folder: b}).URL + "/row?" + html.UnescapeString(link)} {
			if status, page := get(t, address); status != http.StatusInternalServerError || !strings.Contains(page, shards[0]) {
				t.Errorf("%s: %d, and the page lacks %s: %s", address, status, shards[0], page)
			}
		}
	}
}

func TestRejectsOfADamagedFolder(t *testing.T) {
	f := run(t)
	entries, err := filepath.Glob(filepath.Join(f.Dir, ".capgraph", "entries", "texts", "*.json"))
	if err != nil || len(entries) == 0 {
		t.Fatal(entries, err)
	}
	if err := os.WriteFile(entries[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, page := get(t, start(t, serve.Options{Folder: f}).URL+"/?reason=empty"); status != http.StatusInternalServerError || !strings.Contains(page, entries[0]) {
		t.Errorf("%d %s", status, page)
	}
}

// The vocabulary is read once for all rows, and anew when the folder is.
func TestVocabularyIsReadOnce(t *testing.T) {
	f := run(t)
	var reads atomic.Int64
	f.Store = faultstore.New(f.Store, func(_ int64, op faultstore.Op, name string) error {
		if op == faultstore.Open && strings.HasSuffix(name, "vocabulary.parquet") {
			reads.Add(1)
		}
		return nil
	})
	s := start(t, serve.Options{Folder: f})
	row := func() string {
		_, page := get(t, s.URL+"/?word=bus")
		_, rest, _ := strings.Cut(page, `href="row?`)
		link, _, _ := strings.Cut(rest, `"`)
		_, page = get(t, s.URL+"/row?"+html.UnescapeString(link))
		return page
	}
	first := row()
	once := reads.Load()
	if again := row(); once == 0 || reads.Load() != once || again != first {
		t.Errorf("%d reads for a row, %d for two", once, reads.Load())
	}
	plan := f.Path(folder.PlanFile(folder.PassBalance))
	data, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(plan, bytes.Replace(data, []byte(`"seed"`), []byte(`"was": 1, "seed"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if row(); reads.Load() != 2*once {
		t.Errorf("%d reads after the folder was made by another plan", reads.Load()-once)
	}
}

// A row of before files joined is explained with the vocabulary of then.
func TestVocabularyOfBefore(t *testing.T) {
	f := run(t)
	dir := filepath.Dir(f.Dir)
	if err := os.WriteFile(filepath.Join(dir, "more.jsonl"), []byte(`{"image": "z.jpg", "caption": "a yellow lorry next to an old man"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runOver(t, dir, true)
	var then, now atomic.Int64
	f.Store = faultstore.New(f.Store, func(_ int64, op faultstore.Op, name string) error {
		switch {
		case op != faultstore.Open || !strings.HasSuffix(name, "vocabulary.parquet"):
		case strings.Contains(name, "/before/00000/"):
			then.Add(1)
		default:
			now.Add(1)
		}
		return nil
	})
	s := start(t, serve.Options{Folder: f})
	row := func(word string) {
		_, page := get(t, s.URL+"/?word="+word)
		_, rest, _ := strings.Cut(page, `href="row?`)
		link, _, _ := strings.Cut(rest, `"`)
		if status, page := get(t, s.URL+"/row?"+html.UnescapeString(link)); status != http.StatusOK || !strings.Contains(page, word) {
			t.Errorf("%s: status %d, %s", word, status, page)
		}
	}
	row("bus")
	if then.Load() == 0 || now.Load() > 0 {
		t.Errorf("a row of before: %d reads of then, %d of now", then.Load(), now.Load())
	}
	then.Store(0)
	row("lorry")
	if then.Load() > 0 || now.Load() == 0 {
		t.Errorf("a row of now: %d reads of then, %d of now", then.Load(), now.Load())
	}
}

func TestGuard(t *testing.T) {
	s := start(t, serve.Options{Folder: run(t)})
	host, token := strings.TrimSuffix(s.URL, path.Base(s.URL)), path.Base(s.URL)
	for address, want := range map[string]int{
		"": http.StatusUnauthorized, "?token=" + token: http.StatusUnauthorized, "style.css": http.StatusUnauthorized,
		token[1:] + "/": http.StatusUnauthorized, token + "x/": http.StatusUnauthorized, "x/" + token + "/": http.StatusUnauthorized,
		"/" + token + "/": http.StatusUnauthorized, token + "/nowhere": http.StatusNotFound,
		token: http.StatusOK, token + "/": http.StatusOK, token + "/style.css": http.StatusOK, token + "/judge.js": http.StatusOK,
	} {
		if status, _ := get(t, host+address); status != want {
			t.Errorf("/%s: status %d, want %d", address, status, want)
		}
	}
	for _, address := range []string{"/" + token + "//evil.example/", "/" + token + "/../../evil.example", "//evil.example/" + token + "/"} {
		client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		response, err := client.Get(strings.TrimSuffix(host, "/") + address)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if to := response.Header.Get("Location"); strings.Contains(to, "//") {
			t.Errorf("%s leads to %s", address, to)
		}
	}
	response, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	for name, want := range map[string]string{"Content-Security-Policy": "script-src 'self';", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"} {
		if got := response.Header.Get(name); !strings.Contains(got, want) {
			t.Errorf("%s is %q", name, got)
		}
	}
}

// In one browser, two servers on one host both keep working, and a third, of another user,
// is sent the token of neither.
func TestServersOnOneHost(t *testing.T) {
	a, b := run(t), run(t, "negatives.max_negatives=1")
	judged := filepath.Join(t.TempDir(), "judgements.jsonl")
	first := start(t, serve.Options{Folder: a})
	second := start(t, serve.Options{Folder: a, Compare: &b, Judgements: judged})
	sent := make(chan string, 2)
	third := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		sent <- fmt.Sprint(r.URL, r.Header)
	}))
	t.Cleanup(third.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := http.Client{Jar: jar}
	visit := func(address string) (*url.URL, string) {
		t.Helper()
		response, err := browser.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		page, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d, %v", address, response.StatusCode, err)
		}
		return response.Request.URL, string(page)
	}
	links := regexp.MustCompile(`(?:href|src|action)="([^"#]+)"`)
	for range 2 {
		for _, start := range []string{first.URL + "/", second.URL + "/", second.URL + "/judge?what=graphs"} {
			at, page := visit(start)
			for _, link := range links.FindAllStringSubmatch(page, -1) {
				to, err := at.Parse(html.UnescapeString(link[1]))
				if err != nil {
					t.Fatal(err)
				}
				if to.Scheme == "data" {
					continue
				}
				if to.Host != at.Host {
					t.Errorf("%s has a link to %s", at, to)
				}
				visit(to.String())
			}
		}
		visit(third.URL)
	}
	for range 2 {
		if request := <-sent; strings.Contains(request, path.Base(first.URL)) || strings.Contains(request, path.Base(second.URL)) || strings.Contains(request, "Cookie") {
			t.Errorf("the third server is sent %s", request)
		}
	}
}

func TestPrintedAddressOpens(t *testing.T) {
	f := run(t)
	for _, address := range []string{"127.0.0.1:0", "0.0.0.0:0", ":0"} {
		ctx, stop := context.WithCancel(context.Background())
		server, err := serve.New(serve.Options{Folder: f})
		if err != nil {
			t.Fatal(err)
		}
		l, err := serve.Listen(ctx, address)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- server.Serve(ctx, l) }()
		told := server.URL(l.Addr())
		if status, _ := get(t, told); status != http.StatusOK || !strings.HasPrefix(told, "http://127.0.0.1:") {
			t.Errorf("%s: %s has status %d", address, told, status)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestJudge(t *testing.T) {
	a, b := run(t), run(t, "negatives.max_negatives=1")
	file := filepath.Join(t.TempDir(), "judgements.jsonl")
	o := serve.Options{Folder: a, Compare: &b, Judgements: file, Seed: 3}
	s := start(t, o)
	if _, page := get(t, s.URL+"/judge?what=graphs"); !strings.Contains(page, "No other row that was read differs") {
		t.Error("equal graphs are shown to be judged")
	}
	seen := map[string]bool{}
	for _, choice := range []string{"1", "2", "0", "1"} {
		_, page := get(t, s.URL+"/judge?what=negatives")
		_, rest, ok := strings.Cut(page, `name="key" value="`)
		key, _, _ := strings.Cut(rest, `"`)
		if !ok || seen[key] {
			t.Fatalf("key %q is shown again: %s", key, page)
		}
		if body, _, _ := strings.Cut(page, "<details>"); strings.Contains(body, a.Dir) || strings.Contains(body, b.Dir) {
			t.Error("the page tells whose texts are on the left")
		}
		seen[key] = true
		response, err := http.PostForm(s.URL+"/judge", url.Values{"what": {"negatives"}, "key": {key}, "choice": {choice}})
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatal(response, err)
		}
		response.Body.Close()
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	wins := map[string]int{}
	for i, line := range lines {
		var j serve.Judgement
		if err := json.Unmarshal([]byte(line), &j); err != nil || !seen[j.Key] || j.A != a.Dir || j.B != b.Dir {
			t.Errorf("line %s: %v", line, err)
		}
		wins[j.Wins]++
		if want := map[bool]string{true: "a", false: "b"}[(j.Left == "a") == (i != 1)]; i != 2 && j.Wins != want {
			t.Errorf("line %s: %s should win", line, want)
		}
	}
	if len(lines) != 4 || wins["none"] != 1 {
		t.Errorf("the file holds %s", data)
	}
	if err := os.WriteFile(file, bytes.TrimSpace(data), 0o600); err != nil { // as an editor leaves it
		t.Fatal(err)
	}
	_, page := get(t, start(t, o).URL+"/judge?what=negatives") // as after a restart
	if want := fmt.Sprintf("won %d, ", wins["a"]); !strings.Contains(page, want) || !strings.Contains(page, "no difference 1") {
		t.Errorf("after a restart, the page lacks %q", want)
	}
	for _, bad := range []url.Values{{}, {"key": {"x"}, "choice": {"3"}}, {"key": {"x"}, "choice": {"1"}, "what": {"all"}},
		{"key": {"no-such-key"}, "choice": {"1"}}, {"key": {"no-such-key"}, "choice": {"0"}, "what": {"negatives"}}} {
		response, err := http.PostForm(s.URL+"/judge", bad)
		if err != nil || response.StatusCode != http.StatusBadRequest {
			t.Errorf("%v: %v %v", bad, response.StatusCode, err)
		}
		response.Body.Close()
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(after, data) {
		t.Errorf("what was refused is in the file: %s %v", after, err)
	}
	r, _ := http.NewRequest(http.MethodPost, s.URL+"/judge", strings.NewReader("key=x&choice=1"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "https://evil.example")
	response, err := http.DefaultClient.Do(r)
	if err != nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("a form of another site: %v %v", response.StatusCode, err)
	}
	response.Body.Close()
	if err := os.WriteFile(file, []byte("{}\nnonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := serve.New(o); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a broken file of judgements: %v", err)
	}
	for size, want := range map[int]string{100 << 10: "", 2 << 20: file + ": line 2 is not a judgement: bufio.Scanner: token too long (remove the line"} {
		if err := os.WriteFile(file, []byte(`{}`+"\n"+`{"key": "`+strings.Repeat("x", size)+`"}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := serve.New(o); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("a line of %d bytes: %v", size, err)
		}
	}
}

// TestJudgeHidesScores: scores tell which folder was balanced, and texts that
// differ in them alone do not differ.
func TestJudgeHidesScores(t *testing.T) {
	score := regexp.MustCompile(`, -?\d+\.\d\d</span>`)
	balanced := func(bias float64) folder.Folder {
		return run(t, "negatives.balance.enabled=true", fmt.Sprint("negatives.balance.bias=", bias))
	}
	a, b, plain := balanced(19), balanced(19.000001), run(t)
	_, found := get(t, start(t, serve.Options{Folder: a}).URL)
	_, link, _ := strings.Cut(found, `<a href="row?`)
	link, _, _ = strings.Cut(link, `"`)
	if _, page := get(t, start(t, serve.Options{Folder: a}).URL+"/row?"+html.UnescapeString(link)); !score.MatchString(page) {
		t.Fatalf("the row of a balanced folder has no scores: %s", page)
	}
	judge := func(b folder.Folder) string {
		s := start(t, serve.Options{Folder: a, Compare: &b, Judgements: filepath.Join(t.TempDir(), "judgements.jsonl")})
		_, page := get(t, s.URL+"/judge?what=negatives")
		return page
	}
	if page := judge(plain); !strings.Contains(page, `name="key"`) || score.MatchString(page) {
		t.Errorf("what is judged has scores, or nothing is: %s", page)
	}
	if page := judge(b); strings.Contains(page, `name="key"`) {
		t.Errorf("the same texts are to be judged: %s", page)
	}
}

func TestServeStopsAndSaysWhatIsWrong(t *testing.T) {
	f := run(t)
	server, err := serve.New(serve.Options{Folder: f})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	l, err := serve.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := serve.Listen(ctx, l.Addr().String()); err == nil || !strings.Contains(err.Error(), "--addr") {
		t.Errorf("a port that is taken: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, l) }()
	if status, _ := get(t, server.URL(l.Addr())); status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	stop()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Error("the server does not stop")
	}
	if _, err := serve.New(serve.Options{Folder: folder.Folder{Store: store.Local{}, Dir: "nowhere"}}); err == nil || !strings.Contains(err.Error(), "nowhere is not a folder") {
		t.Errorf("a folder that is not there: %v", err)
	}
	if _, err := serve.New(serve.Options{Folder: f, Compare: &f, Judgements: "/nowhere/j"}); err == nil || !strings.Contains(err.Error(), "/nowhere/j") || !strings.Contains(err.Error(), "--judgements") {
		t.Errorf("judgements that cannot be written: %v", err)
	}
}

// Rows are found by image, by image_key and by key, and the address of one says
// where it lies, so that nothing is searched for it.
func TestSearchByImage(t *testing.T) {
	f := run(t)
	s := start(t, serve.Options{Folder: f})
	_, all := get(t, s.URL)
	address := regexp.MustCompile(`href="row\?([^"]+)"`).FindStringSubmatch(all)
	if address == nil {
		t.Fatal(all)
	}
	link, err := url.ParseQuery(html.UnescapeString(address[1]))
	if err != nil || link.Get("shard") == "" || link.Get("row") == "" || link.Get("key") == "" {
		t.Fatalf("the address is %v, %v", link, err)
	}
	_, page := get(t, s.URL+"/row?"+link.Encode())
	link.Del("key")
	if _, same := get(t, s.URL+"/row?"+link.Encode()); same != page {
		t.Error("shard and row lead to another page than with the key")
	}
	g, err := inspect.GraphAt(f, schemas.RowRef{Shard: link.Get("shard")})
	if err != nil || g.ImageKey == "" {
		t.Fatalf("%+v, %v", g, err)
	}
	key, image := strings.Clone(g.Key), strings.Clone(g.ImageKey)
	for _, q := range []url.Values{{"key": {key}}, {"image": {image}}, {"image": {image}, "key": {key}}} {
		_, found := get(t, s.URL+"/?"+q.Encode())
		if n := strings.Count(found, `href="row?`); n < 1 || n > 5 || !strings.Contains(found, url.QueryEscape(key)) && !strings.Contains(found, key) {
			t.Errorf("%v: %d rows\n%s", q, n, found)
		}
	}
	shard := "shard=" + link.Get("shard")
	// A link from before the folder was made anew names another row: the key says which is meant.
	_, byKey := get(t, s.URL+"/row?key="+url.QueryEscape(key))
	if status, page := get(t, s.URL+"/row?"+shard+"&row=1&key="+url.QueryEscape(key)); status != http.StatusOK || page != byKey {
		t.Errorf("the key of another row: status %d\n%s", status, page)
	}
	for wrong, want := range map[string]int{
		shard + "&row=0&key=nonsense": http.StatusNotFound,
		"shard=none&row=0":            http.StatusNotFound, "shard=../../x&row=0": http.StatusNotFound, shard + "&row=999999": http.StatusNotFound,
		shard + "&row=-1": http.StatusBadRequest, shard + "&row=x": http.StatusBadRequest, shard + "&row=": http.StatusBadRequest,
		shard + "&row=9223372036854775808": http.StatusBadRequest, "row=0": http.StatusBadRequest, "row=-1&key=" + key: http.StatusBadRequest,
		"": http.StatusBadRequest, shard: http.StatusBadRequest, "key=": http.StatusBadRequest,
	} {
		if status, page := get(t, s.URL+"/row?"+wrong); status != want || !strings.Contains(page, `class="bad"`) {
			t.Errorf("%s: status %d, want %d\n%s", wrong, status, want, page)
		}
	}
}

// A request that was given up stops its scan.
func TestCancelledRequest(t *testing.T) {
	server, err := serve.New(serve.Options{Folder: run(t)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, path := range []string{"?word=dog", "row?key=none", "?reason=empty&at=0.3"} {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, server.URL(&net.TCPAddr{Port: 1})+path, nil)
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), context.Canceled.Error()) {
			t.Errorf("%s: status %d\n%s", path, w.Code, w.Body)
		}
	}
}
