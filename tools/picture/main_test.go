package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestPictureHasGraphAndTexts(t *testing.T) {
	line := `{"text": "a red dog on a <sofa>", "positives": [{"text": "a red dog"}, {"text": "a dog on a sofa"}], "negatives": [{"text": "a blue dog", "of": 0}, {"text": "a green dog", "of": 0}]}`
	var out strings.Builder
	if err := draw(&out, strings.NewReader(line), []byte("png")); err != nil {
		t.Fatal(err)
	}
	decoder := xml.NewDecoder(strings.NewReader(out.String()))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{`class="object"`, "+ a dog on a sofa", "− a blue dog", "a red dog on a &lt;sofa&gt;"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "a green dog") {
		t.Error("a second negative of one positive is shown")
	}
	for _, wrong := range []string{"", "{}", `{"text": "!"}`} {
		if err := draw(io.Discard, strings.NewReader(wrong), nil); err == nil {
			t.Errorf("%q is drawn", wrong)
		}
	}
}
