// Package browser opens pages in a real headless browser, for tests.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Tab is a tab of a new browser, which is closed when the test ends.
type Tab struct {
	ctx context.Context
	t   testing.TB

	mu       sync.Mutex
	problems []string
}

// Open starts a browser. It skips the test if none is installed.
func Open(t testing.TB) *Tab {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no chromium or google-chrome in PATH: install Debian's package chromium")
	}
	profile := makeProfile(t)
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.UserDataDir(profile), chromedp.WSURLReadTimeout(90 * time.Second),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),
	}
	timed, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	t.Cleanup(cancel)
	allocator, stop := chromedp.NewExecAllocator(timed, options...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(allocator)
	t.Cleanup(end)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Logf("the browser did not close by itself: %v", err)
		}
	})
	b := &Tab{ctx: ctx, t: t}
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			for _, a := range e.Args {
				b.addProblem(fmt.Sprintf("console.%s: %s", e.Type, a.Value))
			}
		case *runtime.EventExceptionThrown:
			b.addProblem(e.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			b.addProblem(fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
		}
	})
	b.Run(log.Enable(), runtime.Enable())
	return b
}

// addProblem records a problem.
func (b *Tab) addProblem(p string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = append(b.problems, p)
}

// Problems returns the problems so far: console messages, exceptions, and failed or refused requests.
func (b *Tab) Problems() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.problems...)
}

// Run runs actions in order.
func (b *Tab) Run(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// Navigate runs actions that lead to another page. It waits until the page and its scripts are loaded.
// Keys that are pressed before that are lost.
func (b *Tab) Navigate(actions ...chromedp.Action) {
	b.t.Helper()
	if _, err := chromedp.RunResponse(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// Eval returns the value of a JavaScript expression.
func Eval[T any](b *Tab, expression string) T {
	b.t.Helper()
	var v T
	b.Run(chromedp.Evaluate(expression, &v))
	return v
}

// SetViewport sets the window size in pixels and the theme, "light" or "dark".
func (b *Tab) SetViewport(width, height int64, theme string) {
	b.t.Helper()
	b.Run(chromedp.EmulateViewport(width, height),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}))
}

// Overflow returns by how many pixels the page is wider than the window.
func (b *Tab) Overflow() int64 {
	b.t.Helper()
	return Eval[int64](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
}

// Screenshot writes an image of the whole page to the folder in the environment variable
// SCREENSHOTS. It does nothing if that is not set.
func (b *Tab) Screenshot(name string) {
	b.t.Helper()
	dir := os.Getenv("SCREENSHOTS")
	if dir == "" {
		return
	}
	var picture []byte
	b.Run(chromedp.FullScreenshot(&picture, 80))
	if err := os.WriteFile(filepath.Join(dir, name+".jpg"), picture, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// makeProfile creates a folder for the browser's profile and removes it when the test ends. It
// retries for some seconds, since processes of a closed browser may still write there.
func makeProfile(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "capgraph-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 50 {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Errorf("the browser's profile stays: %v", err)
	})
	return dir
}
