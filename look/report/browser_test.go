package report_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"capgraph/testing/browser"
)

// TestPageInABrowser opens a report from disk: on a desk and a phone, light and
// dark, with and without JavaScript.
func TestPageInABrowser(t *testing.T) {
	tab := browser.Open(t)
	f := run(t, "", []string{"output.shard_rows=13"}, mixed()...)
	file := filepath.Join(t.TempDir(), "report.html")
	page := write(t, f, &f)
	if other := os.Getenv("REPORT"); other != "" {
		data, err := os.ReadFile(other)
		if err != nil {
			t.Fatal(err)
		}
		page = string(data)
	}
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	tab.Run(chromedp.Navigate("file://" + file))
	background := map[string]string{}
	for _, look := range []struct {
		name   string
		width  int64
		theme  string
		script bool
	}{
		{"desk-light", 1280, "light", true}, {"desk-dark", 1280, "dark", true},
		{"phone-light", 390, "light", true}, {"phone-dark", 390, "dark", true}, {"no-script", 390, "light", false},
	} {
		tab.SetViewport(look.width, 844, look.theme)
		tab.Run(emulation.SetScriptExecutionDisabled(!look.script), chromedp.Reload(), chromedp.WaitReady("#numbers"))
		if over := tab.Overflow(); over > 0 {
			t.Errorf("%s: the page is %d pixels wider than the window", look.name, over)
		}
		for _, section := range []string{"failures", "rows", "graphs", "texts", "dropped", "numbers"} {
			if !browser.Eval[bool](tab, `(e => e !== null && e.offsetHeight > 0 && e.nextElementSibling.innerText.length > 40)(document.getElementById("`+section+`"))`) {
				t.Errorf("%s: section %s is not shown", look.name, section)
			}
		}
		if n := browser.Eval[int](tab, `document.querySelectorAll(".drawing svg rect").length`); n == 0 {
			t.Errorf("%s: no graph is drawn", look.name)
		}
		background[look.theme] = browser.Eval[string](tab, `getComputedStyle(document.body).backgroundColor`)
		tab.Screenshot("report-" + look.name)
	}
	if background["light"] == background["dark"] {
		t.Errorf("light and dark have the same background %s", background["light"])
	}
	if problems := tab.Problems(); len(problems) > 0 {
		t.Errorf("the console shows %q", problems)
	}
}
