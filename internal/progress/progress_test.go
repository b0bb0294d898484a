package progress

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"
)

func show(mode string, done, total int64) string {
	var out bytes.Buffer
	Start(&out, mode, Work{
		Name: "train", One: "step", Many: "steps", Total: total, Done: func() int64 { return done },
		Detail:    func(rate float64) string { return fmt.Sprintf("rate %t", rate >= 0) },
		Suffix:    func() string { return "  end" },
		Attrs:     func(float64) []slog.Attr { return []slog.Attr{slog.Int64("step", done)} },
		TailAttrs: func() []slog.Attr { return []slog.Attr{slog.String("rest", "x")} },
	}).Stop()
	return out.String()
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		done, total int64
		want        string
	}{
		{0, 0, `^train  0 steps  rate true  0s  end\n$`},
		{1, 0, `^train  1 step  rate true  0s  end\n$`},
		{1200, 1234567, `^train  1,200 of 1,234,567 steps  rate true  0s  end\n$`},
		{1, 1, `^train  1 of 1 step  rate true  0s  end\n$`},
	} {
		if got := show(Plain, c.done, c.total); !regexp.MustCompile(c.want).MatchString(got) {
			t.Errorf("%d of %d: %q", c.done, c.total, got)
		}
	}
}

func TestOtherModes(t *testing.T) {
	if got := show(None, 3, 5); got != "" {
		t.Errorf("none shows %q", got)
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(show(JSON, 3, 5)), &line); err != nil || line["step"] != 3. || line["done"] != true || line["rest"] != "x" {
		t.Errorf("%v, %v", line, err)
	}
	show(Bar, 3, 5) // moves on a terminal alone, and ends
	if got := show(Bar, 3, 0); !bytes.Contains([]byte(got), []byte("train  3 steps")) {
		t.Errorf("bar without a total shows %q", got)
	}
}

// What is written beside a line that moves is not lost, whether the line still moves
// or has ended.
func TestWriteBesideTheLine(t *testing.T) {
	for _, mode := range []string{Bar, Plain, None} {
		var out lockedBuffer
		s := Start(&out, mode, Work{Name: "train", One: "step", Many: "steps", Total: 5, Done: func() int64 { return 3 },
			Detail: func(float64) string { return "" }, Attrs: func(float64) []slog.Attr { return nil }})
		for _, text := range []string{"during\n", "after\n"} {
			if n, err := s.Write([]byte(text)); n != len(text) || err != nil {
				t.Errorf("%s: %d, %v", mode, n, err)
			}
			if text == "during\n" {
				s.Stop()
			}
		}
		if got := out.String(); !strings.HasSuffix(got, "after\n") || mode != Bar && !strings.Contains(got, "during\n") { // a line moves on a terminal alone
			t.Errorf("%s: %q", mode, got)
		}
	}
}

// lockedBuffer takes what several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(text)
}
