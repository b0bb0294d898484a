package clean

import (
	"os"
	"strings"
	"testing"
)

func TestDocumentHasEveryStepAndReason(t *testing.T) {
	data, err := os.ReadFile("../docs/cleaning.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), `\|`, "|")
	inLine := strings.NewReplacer("\n", `\n`)
	for _, s := range steps {
		if row := "| " + s.name + " | `" + inLine.Replace(s.before) + "` | `" + inLine.Replace(s.after) + "` |"; !strings.Contains(text, row) {
			t.Errorf("docs/cleaning.md has no row %s", row)
		}
	}
	for _, r := range rules {
		if !strings.Contains(text, "| `"+r.reason+"` | ") {
			t.Errorf("docs/cleaning.md has no row for %s", r.reason)
		}
	}
}
