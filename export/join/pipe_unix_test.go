//go:build unix

package join

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestJoinPipes refuses pipes, which would be waited for.
func TestJoinPipes(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	writeFile(t, dir+"/t.csv", "url,text\nhttp://a,b\n")
	writeFile(t, dir+"/tars/note", "")
	for _, name := range []string{"/tars/1.tar", "/p.csv"} {
		if err := syscall.Mkfifo(dir+name, 0o600); err != nil {
			t.Skip(err)
		}
	}
	for _, o := range []Options{{Texts: dir + "/t.csv", Samples: dir + "/tars"}, {Texts: dir + "/p.csv", Samples: writeSamples(t)}} {
		if _, _, err := joined(t, o); err == nil || !strings.Contains(err.Error(), "is a pipe") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
