package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// A machine without a card is told so: by a build without CUDA in a line, by one with
// it as what went wrong, and what was looked for.
func TestDoctorWithoutACard(t *testing.T) {
	var out, errs bytes.Buffer
	code := run(context.Background(), []string{"doctor"}, streams{out: &out, err: &errs})
	text := out.String() + errs.String()
	switch {
	case strings.Contains(text, "\ncuda:0"):
		t.Skip("this machine has a card")
	case strings.Contains(text, "built without CUDA"):
		if code != 0 || !strings.Contains(text, "no card: this capgraph is built without CUDA: 'go build -tags cuda ./cmd/capgraph'") {
			t.Errorf("exit %d\n%s", code, text)
		}
	case code != exitFailed || !strings.Contains(text, "libcuda.so.1"):
		t.Errorf("exit %d\n%s", code, text)
	}
	for _, want := range []string{"capgraph ", "cpu/", "layer norm", "AdamW"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "WRONG") {
		t.Errorf("the CPU computes wrong:\n%s", text)
	}
}
