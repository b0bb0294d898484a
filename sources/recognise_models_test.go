package sources

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/store"
)

// TestCaptionsOfModelsAreRecognised looks into rows in the form of each published corpus.
func TestCaptionsOfModelsAreRecognised(t *testing.T) {
	want := map[string]string{
		"LLaVA-NeXT captions (CaptionEmporium)": "caption=[caption_llava caption_llava_short] key=[key]",
		"DataCompDR":                            "caption=[syn.json.syn_text] image=[url.txt]",
		"PixelProse":                            "caption=[vlm_caption] alt=[original_caption]",
		"LAION-COCO":                            "caption=[top_caption] image=[URL] alt=[TEXT]",
		"CapsFusion":                            "caption=[capsfusion] image=[image_url] alt=[laion_2b laion_coco]",
		"Recap-DataComp-1B":                     "caption=[re_caption] alt=[org_caption]",
		"DreamLIP":                              "caption=[longSV_captions longLLA_captions longIB_captions shortSV_captions shortLLA_captions shortIB_captions] image=[Image Path] alt=[raw_caption]",
		"ShareGPT4V or LLaVA":                   "caption=[conversations.1.value]",
		"messages of a chat":                    "caption=[messages.1.content]",
		"DOCCI":                                 "caption=[description] image=[image_file] key=[example_id]",
	}
	n := 0
	for line := range strings.Lines(recaptionsTSV) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if line[0] == '#' || f[0] == "corpus" {
			continue
		}
		n++
		path := filepath.Join(t.TempDir(), "in.jsonl")
		put(t, path, []byte(strings.Repeat(f[5]+"\n", 10)))
		found, err := Recognise(context.Background(), store.Local{}, path)
		if err != nil || found.Models == nil {
			t.Errorf("%s: %+v, %v", f[0], found, err)
			continue
		}
		got := fmt.Sprint("caption=", found.Options.Columns[Caption])
		for _, role := range []string{Image, Key} {
			if names := found.Options.Columns[role]; names != nil {
				got += fmt.Sprint(" ", role, "=", names)
			}
		}
		if alt := found.Models.Alt; alt != nil {
			got += fmt.Sprint(" alt=", alt)
		}
		if got != want[f[0]] || found.Models.Corpus != f[0] {
			t.Errorf("%s: %s (%s), want %s", f[0], got, found.Models.Corpus, want[f[0]])
		}
		if f[0] != "LLaVA-NeXT captions (CaptionEmporium)" && !found.HasImages {
			t.Errorf("%s: no image", f[0])
		}
	}
	if n != len(want) {
		t.Errorf("%d rows in recaptions.tsv, want %d", n, len(want))
	}
}

// TestCaptionsThatLookLikeModels has captions in a column of no corpus.
func TestCaptionsThatLookLikeModels(t *testing.T) {
	long := strings.Repeat("a red bus waits at a light in the rain ", 4)
	for caption, want := range map[string]bool{
		"a dog runs on a beach with a ball":        false,
		"A dog runs. It is brown.":                 false, // short
		"A dog runs. There is " + long:             true,
		"The image shows " + long:                  true,
		"In this photo, " + long:                   true,
		"Product no. 5 with a lid and " + long:     true, // a full stop counts
		"a description of one sentence of " + long: false,
	} {
		var l Lengths
		for range 3 {
			l.add(caption)
		}
		if got := l.LookLikeModels(); got != want {
			t.Errorf("%q: %v, want %v", caption, got, want)
		}
	}
	if new(Lengths).LookLikeModels() {
		t.Error("no caption looks like a model's")
	}
}
