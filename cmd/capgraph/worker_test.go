package main

import (
	"encoding/binary"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// frame returns a message of the worker: its length and its bytes.
func frame(message string) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(message)))) + message
}

// TestWorkerEndsWithItsReader: the worker ends when nobody can read its replies, although its standard input
// stays open and it is amid a request.
func TestWorkerEndsWithItsReader(t *testing.T) {
	worker := exec.Command("capgraph", "worker")
	in, err := worker.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := worker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	defer worker.Process.Kill()
	if _, err := in.Write([]byte(frame("half of it"))[:12]); err != nil {
		t.Fatal(err)
	}
	out.Close()
	worker.Wait() // the test ends by its deadline if the worker does not
}

// The program answers over real pipes, one reply a request, and ends with its standard input.
func TestWorkerProcess(t *testing.T) {
	program := filepath.Join(t.TempDir(), "capgraph")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	exchange := func(in string) (string, string, error) {
		worker := exec.Command(program, "worker")
		var out, errs strings.Builder
		worker.Stdin, worker.Stdout, worker.Stderr = strings.NewReader(in), &out, &errs
		err := worker.Run()
		return out.String(), errs.String(), err
	}
	if out, errs, err := exchange(""); err != nil || out != "" || errs != "" {
		t.Errorf("no request: %q, %q, %v", out, errs, err)
	}
	one, _, err := exchange(frame("no Arrow"))
	if err != nil || !strings.Contains(one, "no Arrow IPC stream") || binary.LittleEndian.Uint64([]byte(one)) != uint64(len(one)-8) {
		t.Errorf("a bad request: %q, %v", one, err)
	}
	if twice, _, err := exchange(frame("no Arrow") + frame("no Arrow")); err != nil || twice != one+one {
		t.Errorf("twice: %q, %v", twice, err)
	}
	if out, errs, err := exchange(frame("no Arrow")[:10]); err == nil || out != "" || !strings.Contains(errs, "a request of 8 bytes ends after 2") {
		t.Errorf("cut off: %q, %q, %v", out, errs, err)
	}
}
