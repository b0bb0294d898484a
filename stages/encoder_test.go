package stages_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/store"
)

// TestACardThatIsNotThereIsAnError asks for a card that no machine has. Nothing is made, and the processor makes it
// after that, as graphs do not depend on it.
func TestACardThatIsNotThereIsAnError(t *testing.T) {
	source := filepath.Join(t.TempDir(), "captions.tsv")
	if err := os.WriteFile(source, []byte("https://img.example.org/1.jpg\ta red dog\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, out, 1, "parse.device=cuda:9999")
	if err := r.Do(context.Background(), folder.PassParse); err == nil || !strings.HasPrefix(err.Error(), "parse.device is cuda:9999: ") {
		t.Errorf("error %v", err)
	}
	r = newRun(t, store.Local{}, memory.NewGoAllocator(), source, out, 1)
	if err := r.Do(context.Background(), folder.PassParse); err != nil {
		t.Error(err)
	}
}

// TestTheEncoderIsAsked has a caption of which the linear model alone loses the colour.
func TestTheEncoderIsAsked(t *testing.T) {
	source := filepath.Join(t.TempDir(), "captions.tsv")
	if err := os.WriteFile(source, []byte("https://img.example.org/1.jpg\ta woman in purple vapes near a fountain\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for reader, want := range map[string]string{"auto": "in purple", "encoder": "in purple", "rules": ""} {
		r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, t.TempDir(), 1, "parse.parser="+reader)
		if err := r.Do(context.Background(), folder.PassParse); err != nil {
			t.Fatal(err)
		}
		x, err := r.Folder.ReadIndex()
		if err != nil {
			t.Fatal(err)
		}
		for row, err := range inspect.ReadGraphs(r.Folder, x.Shards[0].Name, 0) {
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, a := range row.Graph.Objects[0].Attributes {
				got += a.Text
			}
			if got != want {
				t.Errorf("%s: the woman is %q, want %q", reader, got, want)
			}
		}
	}
}
