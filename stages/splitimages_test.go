package stages_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/store"
)

// A run warns of images whose captions are in several places, or too many to be compared.
func TestSplitImagesAreWarnedOf(t *testing.T) {
	line := func(image string, i int) string {
		return fmt.Sprintf("http://x.org/%s.jpg\ta cat number %d\n", image, i)
	}
	together, apart, many := "", "", ""
	for i := range 3 {
		together += line("a", i)
		apart += line("a", i) + line(fmt.Sprint(i), i) + line("b", i)
	}
	for i := range folder.MaxImageRows + 1 {
		many += line("a", i)
	}
	for _, c := range []struct{ name, lines, want string }{
		{"together", together, ""},
		{"apart", apart, "2 images have captions in several places"},
		{"many", many, "1 image has captions in several places, or more than 1024: "},
	} {
		source := filepath.Join(t.TempDir(), "captions.tsv")
		if err := os.WriteFile(source, []byte(c.lines), 0o600); err != nil {
			t.Fatal(err)
		}
		r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, t.TempDir(), 2, "output.shard_rows=2")
		var warned string
		r.Warn = func(text string) { warned += text }
		for _, pass := range []folder.Pass{folder.PassParse, folder.PassTally, folder.PassCount} {
			if err := r.Do(context.Background(), pass); err != nil {
				t.Fatal(err)
			}
		}
		if c.want == "" && strings.Contains(warned, "several places") || !strings.Contains(warned, c.want) {
			t.Errorf("%s: the warning is %q, want %q", c.name, warned, c.want)
		}
	}
}
