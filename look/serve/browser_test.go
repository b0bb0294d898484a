package serve_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"capgraph/look/serve"
	"capgraph/testing/browser"
)

// TestServeInABrowser searches, opens a row and judges with the keys.
func TestServeInABrowser(t *testing.T) {
	a, b := run(t), run(t, "negatives.max_negatives=1")
	tab := browser.Open(t) // late: it closes after some minutes
	file := filepath.Join(t.TempDir(), "judgements.jsonl")
	s := start(t, serve.Options{Folder: a, Compare: &b, Judgements: file, Seed: 3})
	shown := func(name string) {
		for _, look := range []struct {
			name  string
			width int64
			theme string
		}{{"desk-dark", 1280, "dark"}, {"phone-light", 390, "light"}} {
			tab.SetViewport(look.width, 844, look.theme)
			if over := tab.Overflow(); over > 0 {
				t.Errorf("%s, %s: the page is %d pixels wider than the window", name, look.name, over)
			}
			tab.Screenshot("serve-" + name + "-" + look.name)
		}
	}
	tab.Run(chromedp.Navigate(s.URL))
	tab.Navigate(chromedp.SendKeys(`input[name="object"]`, "dog\r"))
	tab.Run(chromedp.WaitVisible(`input[value="dog"]`))
	if found := browser.Eval[string](tab, `document.getElementById("scanned").innerText`); !strings.HasPrefix(found, "15 found in 31 of 31 rows") {
		t.Errorf("the search says %q", found)
	}
	shown("search")
	tab.Navigate(chromedp.Click(`.hit a`))
	tab.Run(chromedp.WaitVisible(`.drawing svg`))
	shown("row")
	tab.Run(chromedp.Navigate(s.URL + "/judge?what=negatives"))
	shown("judge")
	for _, key := range []string{"1", "2", "0"} {
		caption := browser.Eval[string](tab, `document.querySelector('input[name="key"]').value`)
		tab.Navigate(chromedp.KeyEvent(key))
		tab.Run(chromedp.WaitReady(fmt.Sprintf(`//input[@name="key" and not(@value=%q)]`, caption), chromedp.BySearch))
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "\n"); n != 3 || strings.Count(string(data), `"winner":"none"`) != 1 {
		t.Errorf("the keys 1, 2 and 0 left\n%s", data)
	}
	if problems := tab.Problems(); len(problems) > 0 {
		t.Errorf("the console shows %q", problems)
	}
	sent := make(chan string, 1)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			sent <- fmt.Sprint(r.URL, r.Header)
		}
	}))
	t.Cleanup(other.Close)
	tab.Navigate(chromedp.Evaluate(fmt.Sprintf("location.href = %q", other.URL), nil))
	if request := <-sent; strings.Contains(request, path.Base(s.URL)) || strings.Contains(request, "Cookie") {
		t.Errorf("another server on this host is sent %s", request)
	}
}
