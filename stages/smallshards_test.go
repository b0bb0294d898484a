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

// TestManySmallFilesAreWarnedOf indexes files of few rows, of which each is a shard, and rows that
// the settings cut into as many: what they cost is told once, with what can be done.
func TestManySmallFilesAreWarnedOf(t *testing.T) {
	small := t.TempDir()
	var lines strings.Builder
	for i := range 1000 {
		line := fmt.Sprintf("http://x.org/%d.jpg\ta dog on mat %d\n", i, i)
		lines.WriteString(line)
		if err := os.WriteFile(filepath.Join(small, fmt.Sprintf("%04d.tsv", i)), []byte(line+line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	one := filepath.Join(t.TempDir(), "one.tsv")
	if err := os.WriteFile(one, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ source, rows, want string }{
		{filepath.Join(small, "*.tsv"), "122880", "2,000 rows of 1,000 files make 1,000 shards of 2 rows in the mean, and each shard is 8 files of OUT, with some 30 KB beside its rows: " +
			"stop the run, join the files to some of up to 122,880 rows, since a shard has rows of one file alone, and run with --redo index"},
		{one, "1", "1,000 rows of 1 file make 1,000 shards of 1 row in the mean, and each shard is 8 files of OUT, with some 30 KB beside its rows: " +
			"stop the run, set a larger output.shard_rows, and run with --redo index"},
		{filepath.Join(small, "0*0.tsv"), "122880", ""}, // 100 files
		{one, "500", ""},
	} {
		dir, told := t.TempDir(), []string{}
		for range 2 {
			r := newRun(t, store.Local{}, memory.NewGoAllocator(), c.source, dir, 2, "output.shard_rows="+c.rows)
			r.Warn = func(text string) { told = append(told, strings.ReplaceAll(text, dir, "OUT")) }
			if err := r.Do(context.Background(), folder.PassIndex); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(told, "\n"); got != c.want {
			t.Errorf("%s in shards of %s rows: told\n%s\nwant\n%s", c.source, c.rows, got, c.want)
		}
	}
}
