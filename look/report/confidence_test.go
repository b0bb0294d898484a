package report_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestConfidencePlots draws the confidence of parts, how reliable it is, and which texts it drops.
func TestConfidencePlots(t *testing.T) {
	page := write(t, run(t, "", nil, mixed()...), nil)
	for _, want := range []string{"Confidence of parts", "Confidence of texts", "Parts of annotated captions", "attributes", "kept"} {
		if !strings.Contains(page, ">"+want+"<") {
			t.Errorf("the page has no %q", want)
		}
	}
}

// TestConfidencePlotsOfFewCaptions draws equal values, and none.
func TestConfidencePlotsOfFewCaptions(t *testing.T) {
	for _, captions := range [][][2]string{{{"a", "Hello there!"}}, {{"a", "a dog"}}, {{"a", "a dog"}, {"b", "a dog"}}} {
		t.Run(fmt.Sprint(len(captions), captions[0][1]), func(t *testing.T) {
			if page := write(t, run(t, "", nil, captions...), nil); !strings.Contains(page, ">Parts of annotated captions<") {
				t.Error("the page has no reliability")
			}
		})
	}
}
