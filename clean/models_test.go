package clean

import (
	"strings"
	"testing"
)

// TestCaptionsOfModels gives what vision–language models write, and the text or the reason.
func TestCaptionsOfModels(t *testing.T) {
	c := cleaner(t, nil)
	long := "The image shows a red bus that waits at a traffic light on a wet street in the evening, with many people around it. " +
		"A woman in a yellow raincoat crosses the street in front of it, and she holds a black umbrella over two small children."
	for _, test := range []struct {
		caption, text, reason string
		noise                 Noise
	}{
		{"I'm sorry, but I can't assist with that.", "", ReasonRefusal, NoiseTalk},
		{"I’m sorry, but I cannot provide a description of this image.", "", ReasonRefusal, NoiseTalk},
		{"As an AI language model, I cannot see images. Please provide more details about the image.", "", ReasonRefusal, NoiseTalk},
		{"It seems that you have not attached an image. Please upload the image.", "", ReasonRefusal, NoiseTalk},
		{"I'm sorry, but I can't identify the person in this image. A man in a suit stands at a desk.", "A man in a suit stands at a desk.", "", NoiseTalk},
		{"I can't believe this cat sleeps on a dog", "I can't believe this cat sleeps on a dog", "", 0},
		{`a card that says "I'm sorry, but I can't come"`, `a card that says "I'm sorry, but I can't come"`, "", 0},
		{"As a dog runs, a cat sleeps. Please do not touch the art.", "As a dog runs, a cat sleeps. Please do not touch the art.", "", 0},
		{"<image>\nA dog runs on the beach.<|im_end|>", "A dog runs on the beach.", "", NoiseMarks},
		{"<think>The user wants a caption.</think>A dog runs.", "A dog runs.", "", NoiseMarks},
		{"[INST] A dog runs. [/INST]", "A dog runs.", "", NoiseMarks},
		{"<|endoftext|>", "", ReasonLetters, NoiseMarks},
		{"Here is a detailed description of the image: A dog runs.", "A dog runs.", "", NoiseLeadIn},
		{"Sure! Here's a caption for the photo:\n\n\"A dog runs.\"", "A dog runs.", "", NoiseLeadIn},
		{"A dog runs. Here's a detailed description: - Dog: it is brown.", "A dog runs. - Dog: it is brown.", "", NoiseLeadIn},
		{"A dog runs. Here is the caption: Here is the description: It is brown.", "A dog runs. It is brown.", "", NoiseLeadIn},
		{"A dog runs. Here is a cat: it sleeps.", "A dog runs. Here is a cat: it sleeps.", "", 0},
		{"A dog runs here. See Here is the caption: it sleeps.", "A dog runs here. See Here is the caption: it sleeps.", "", 0},
		{"ASSISTANT: A dog runs.", "A dog runs.", "", NoiseLeadIn},
		{"Here is a dog: it runs.", "Here is a dog: it runs.", "", 0},
		{"The image: a dog.", "The image: a dog.", "", 0},
		{"A dog runs. I hope this description helps!", "A dog runs.", "", NoiseTalk},
		{"## Scene Description\n\nThe **red** bus waits.\n\n### Foreground\n- a *small* dog\n- two cats\n\n---\n", "The red bus waits. a small dog. two cats.", "", NoiseMarkdown},
		{"1. **Subject:** A dog runs.\n2. **Background**: A wall", "A dog runs. A wall.", "", NoiseMarkdown},
		{"**Dog**: brown and small\n**Cat**: grey", "Dog: brown and small Cat: grey", "", NoiseMarkdown},
		{"A dog runs.\n\n| Object | Colour |\n|:--|--:|\n| dog | brown |\n| ball | red |\n\nA cat sleeps.", "A dog runs. A cat sleeps.", "", NoiseMarkdown},
		{"Object | Scene\n---|---\ndog | a brown dog runs on a beach", "a brown dog runs on a beach.", "", NoiseMarkdown},
		{"a | b\nc | d", "a | b c | d", "", 0},
		{"| Object | Colour |\n|---|---|\n| dog | brown |", "", ReasonTable, NoiseMarkdown},
		{"Description\n=====\nA dog runs.\n***\nA cat sleeps.", "A dog runs. A cat sleeps.", "", NoiseMarkdown},
		{"> A dog runs.\n> A cat sleeps.", "A dog runs. A cat sleeps.", "", NoiseMarkdown},
		{"1girl\nsolo\nlong_hair\nblue_eyes", "1girl, solo, long hair, blue eyes", "", 0},
		{"dog; beach; ball; sand", "dog, beach, ball, sand", "", 0},
		{"1. FC Cologne in red and white", "1. FC Cologne in red and white", "", 0},
		{"a [red bus](https://example.org/bus) waits", "a red bus waits", "", NoiseMarkdown},
		{"a 5*4 grid of 3 * 3 tiles and *stars", "a 5*4 grid of 3 * 3 tiles and *stars", "", 0},
		{"A dog runs. A cat sleeps. A cat sleeps. A cat sleeps.", "A dog runs. A cat sleeps.", "", NoiseRepeat},
		{"A street with a car, a car, a car, a car, a ca", "A street with a car", "", NoiseRepeat},
		{"guitar, a car, a car, a car, a car, a car", "guitar, a car", "", NoiseRepeat},
		{strings.Repeat("A dog runs. ", 40), "", ReasonLoop, NoiseRepeat},
		{"a dog, a dog, a dog", "a dog, a dog, a dog", "", 0},
		{"A dog runs on a beach. It looks at the", "A dog runs on a beach.", "", NoiseCutOff},
		{"Rome, Italy. View of the Colosseum", "Rome, Italy. View of the Colosseum", "", 0},
		{"Portrait of Mr. Smith with a", "Portrait of Mr. Smith with a", "", 0},
		{long + " The sky above the houses is grey", long, "", NoiseCutOff},
		{long, long, "", 0},
		{`{"caption": "A dog runs.", "objects": ["dog"]}`, "", ReasonJSON, 0},
		{"```json\n{\"caption\": \"A dog runs.\"}\n```", "", ReasonJSON, NoiseMarkdown},
		{`[{'caption': 'A dog`, "", ReasonJSON, 0},
	} {
		r := c.Examine(test.caption)
		if r.Text != test.text || r.Reason != test.reason || r.Noise != test.noise {
			t.Errorf("%.100q became %q (reason %q, noise %b), want %q (%q, %b)", test.caption, r.Text, r.Reason, r.Noise, test.text, test.reason, test.noise)
		}
	}
}

// TestTablesOfAnswers cleans the example of every row.
func TestTablesOfAnswers(t *testing.T) {
	c := cleaner(t, nil)
	const want = "A dog runs on the beach."
	for _, row := range tableRows(wordsTSV) {
		example := row[2]
		if strings.HasPrefix(example, "*") {
			example = "- a cat\n- " + example
		}
		if text, _ := c.Clean(example + " " + want); strings.TrimPrefix(text, "a cat. ") != want {
			t.Errorf("%s: %q leaves %q", row[0], example, text)
		}
		if !strings.Contains(strings.ToLower(example), row[0]) {
			t.Errorf("%s is not in its example, %q", row[0], example)
		}
	}
	for _, row := range tableRows(talkTSV) {
		if text, reason := c.Clean(row[1]); reason != ReasonRefusal {
			t.Errorf("%q is kept: %q (reason %q)", row[1], text, reason)
		}
		if text, reason := c.Clean(want + " " + row[1]); text != want {
			t.Errorf("%q leaves %q (reason %q)", row[1], text, reason)
		}
	}
}

// TestLimitsAreNamed checks that a caption that a limit rejects names the setting.
func TestLimitsAreNamed(t *testing.T) {
	c := cleaner(t, func(o *Options) { o.MinWords, o.MaxWords, o.MinChars, o.MaxChars = 2, 4, 6, 20 })
	for caption, want := range map[string]string{
		"dog":                     "1 words, less than clean.min_words: 2",
		"a dog":                   "5 characters, less than clean.min_chars: 6",
		"a dog runs on a beach":   "6 words, more than clean.max_words: 4",
		"a photographer sleepily": "23 characters, more than clean.max_chars: 20",
	} {
		if r := c.Examine(caption); r.Detail != want {
			t.Errorf("%q: %q, want %q", caption, r.Detail, want)
		}
	}
}
