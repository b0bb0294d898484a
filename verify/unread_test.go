package verify_test

import (
	"context"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"capgraph/folder"
	"capgraph/store"
	"capgraph/testing/faultstore"
	"capgraph/verify"
)

// A file that is there and that one may not read, or whose device fails, may be whole: nothing is
// to be removed or made again for it.
func TestUnreadFilesStay(t *testing.T) {
	dir := good(t)
	for _, name := range []string{textsEntry, parseEntry, countEntry, textsFile, graphsFile, countsFile, ".capgraph/vocabulary.parquet", ".capgraph/plans/texts.json", "README.md"} {
		for _, errno := range []syscall.Errno{syscall.EACCES, syscall.EIO} {
			refused := faultstore.New(store.Local{}, func(_ int64, op faultstore.Op, opened string) error {
				if op == faultstore.Open && strings.HasSuffix(opened, name) {
					return &fs.PathError{Op: "open", Path: opened, Err: errno}
				}
				return nil
			})
			var told []verify.Problem
			_, err := verify.Run(context.Background(), folder.Folder{Store: refused, Dir: dir}, verify.Options{}, func(p verify.Problem) { told = append(told, p) })
			if err != nil {
				if !strings.Contains(err.Error(), errno.Error()) {
					t.Errorf("%s, %v: %v", name, errno, err)
				}
				continue
			}
			for _, p := range told {
				if strings.Contains(p.Remedy, "remove") || strings.Contains(p.Remedy, "run again") || !strings.Contains(p.What, errno.Error()) {
					t.Errorf("%s, %v: %v", name, errno, p)
				}
			}
			if len(told) == 0 {
				t.Errorf("%s, %v: nothing is told", name, errno)
			}
		}
	}
}
