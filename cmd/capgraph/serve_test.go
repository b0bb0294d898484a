package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A login node has other users: serve wants its token on loopback too.
func TestServeWantsItsToken(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	if code := run(t.Context(), []string{"run", "../../pipeline.yaml", "--set", "source.paths=../../testdata/cc12m.tsv", "--set", "output.dir=" + dir}, streams{out: io.Discard, err: io.Discard}); code != 0 {
		t.Fatal(code)
	}
	ctx, stop := context.WithCancel(t.Context())
	read, write := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"serve", dir, "--addr", "127.0.0.1:0"}, streams{out: write, err: io.Discard})
	}()
	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, read)
	address := regexp.MustCompile(`http://\S+`).FindString(line)
	open := address[:strings.LastIndex(strings.TrimSuffix(address, "/"), "/")+1]
	for url, want := range map[string]int{address: http.StatusOK, open: http.StatusUnauthorized} {
		response, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s has status %d", url, response.StatusCode)
		}
	}
	stop()
	if code := <-done; code != 0 {
		t.Errorf("exit code %d", code)
	}
}
