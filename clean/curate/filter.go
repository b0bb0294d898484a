package curate

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/cespare/xxhash/v2"

	"capgraph/clean"
	"capgraph/internal/ngrams"
	"capgraph/store"
)

// Options are the settings under filter: in pipeline.yaml. By default nothing is rejected. WURA, a
// corpus of web texts (AfriTeVa V2, §3), was filtered with min_distinct_words: 4, max_repetition:
// 0.2 and max_digits: 0.4.
type Options struct {
	MinDistinctWords int     `yaml:"min_distinct_words" doc:"fewest distinct words of a caption; 0 for any"`
	MaxRepetition    float64 `yaml:"max_repetition" doc:"greatest share, up to 1, of its content words that repeat an earlier one"`
	MaxDigits        float64 `yaml:"max_digits" doc:"greatest share, up to 1, of its characters that are digits"`
	Tags             string  `yaml:"tags" doc:"keep: lists of tags have graphs without relations across commas; reject: they are rejected"`
	OffensiveWords   string  `yaml:"offensive_words" doc:"file of one word or phrase a line that no caption may have; empty for none"`
}

// Defaults returns the options that reject nothing.
func Defaults() Options { return Options{MaxRepetition: 1, MaxDigits: 1, Tags: TagsKeep} }

// The values of Options.Tags: what is done with lists of tags.
const (
	TagsKeep   = "keep"
	TagsReject = "reject"
)

// Validate returns an error that names the invalid setting by its key below filter:.
func (o *Options) Validate() error {
	share := func(f float64) bool { return f >= 0 && f <= 1 }
	switch {
	case o.MinDistinctWords < 0:
		return fmt.Errorf("min_distinct_words: %d is below 0", o.MinDistinctWords)
	case !share(o.MaxRepetition):
		return fmt.Errorf("max_repetition: %v is not in 0 to 1", o.MaxRepetition)
	case !share(o.MaxDigits):
		return fmt.Errorf("max_digits: %v is not in 0 to 1", o.MaxDigits)
	case o.Tags != TagsKeep && o.Tags != TagsReject && o.Tags != "":
		return fmt.Errorf("tags: %q is neither keep nor reject", o.Tags)
	}
	return nil
}

// isEnabled reports whether any rule can reject a caption.
func (o *Options) isEnabled() bool {
	return o.MinDistinctWords > 0 || o.MaxRepetition < 1 || o.MaxDigits < 1 || o.Tags == TagsReject || o.OffensiveWords != ""
}

// The reasons to reject a caption.
const (
	ReasonFewWords   = "few_distinct_words"
	ReasonRepetition = "repetition"
	ReasonDigits     = "digits"
	ReasonTags       = "tags"
	ReasonOffensive  = "offensive"
)

// rules are the reasons to reject captions, in order. Each has an example that is rejected with
// WURA's settings (see Options), tags: reject and "badword" as an offensive word.
var rules = []struct {
	reason, example string
	rejects         func(f *Filter, c captionText) bool
}{
	{ReasonFewWords, "red red bus", func(f *Filter, c captionText) bool { return countDistinct(c.words) < f.options.MinDistinctWords }},
	{ReasonRepetition, "cheap shoes cheap shoes buy cheap shoes online", func(f *Filter, c captionText) bool {
		return repeatedShare(c.words) > f.options.MaxRepetition
	}},
	{ReasonDigits, "IMG 20190423 120455 DSC 0001", func(f *Filter, c captionText) bool { return digitShare(c.text) > f.options.MaxDigits }},
	{ReasonTags, "dog, beach, ball, sunset", func(f *Filter, c captionText) bool { return f.options.Tags == TagsReject && clean.IsTagList(c.text) }},
	{ReasonOffensive, "a badword on a sunny street", func(f *Filter, c captionText) bool { return f.hasOffensiveWord(c.words) }},
}

// captionText is a text with its words in lower case.
type captionText struct {
	text  string
	words []string
}

// maxWords is the greatest size of the file of offensive words, in bytes.
const maxWords = 1 << 30

// Filter rejects captions. It is safe for concurrent use.
type Filter struct {
	options Options
	phrases map[string]bool
	longest int // number of words of the longest phrase
	version string
}

// New reads the file of offensive words and returns a filter.
func New(o Options) (*Filter, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	f := &Filter{options: o}
	if o.OffensiveWords == "" {
		return f, nil
	}
	data, err := store.ReadFile(store.Local{}, o.OffensiveWords, maxWords)
	if err != nil {
		return nil, fmt.Errorf("offensive_words: %w", err)
	}
	f.version = fmt.Sprintf("words %016x", xxhash.Sum64(data))
	list, err := clean.PlainLines(data)
	if err != nil {
		return nil, fmt.Errorf("offensive_words: %s: %w", o.OffensiveWords, err)
	}
	f.phrases = map[string]bool{}
	for line := range strings.Lines(list) {
		if words := lowerWords(line); len(words) > 0 {
			f.phrases[strings.Join(words, " ")] = true
			f.longest = max(f.longest, len(words))
		}
	}
	if len(f.phrases) == 0 {
		return nil, fmt.Errorf("offensive_words: %s: holds no word (write one word or phrase a line, or leave the setting out)", o.OffensiveWords)
	}
	return f, nil
}

// Version returns a hash of the file of offensive words. Besides it, Check depends only on the options.
func (f *Filter) Version() string { return f.version }

// Check returns the reason to reject a caption; "" if it is kept.
func (f *Filter) Check(text string) (reason string) {
	if !f.options.isEnabled() {
		return ""
	}
	c := captionText{text, lowerWords(text)}
	for _, r := range rules {
		if r.rejects(f, c) {
			return r.reason
		}
	}
	return ""
}

func lowerWords(text string) []string {
	text = strings.ToLower(text)
	var buf [64]ngrams.Token
	var words []string
	for _, t := range ngrams.AppendTokens(buf[:0], text) {
		if t.IsWord {
			words = append(words, text[t.Begin:t.End])
		}
	}
	return words
}

func countDistinct(words []string) int {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return len(set)
}

// functionWords do not count as repetitions: "a man on a bike with a dog".
const functionWords = " a an the of in on at to by for with and or is are from its his her their "

// repeatedShare returns the share of the words that repeat an earlier one. Function words are not counted.
func repeatedShare(words []string) float64 {
	content := make([]string, 0, len(words))
	for _, w := range words {
		if !strings.Contains(functionWords, " "+w+" ") {
			content = append(content, w)
		}
	}
	if len(content) == 0 {
		return 0
	}
	return 1 - float64(countDistinct(content))/float64(len(content))
}

// digitShare returns the share of digits among the characters other than white space.
func digitShare(text string) float64 {
	all, digits := 0, 0
	for _, r := range text {
		if unicode.IsSpace(r) {
			continue
		}
		all++
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return float64(digits) / float64(max(all, 1))
}

// hasOffensiveWord reports whether the words contain an offensive word or phrase.
func (f *Filter) hasOffensiveWord(words []string) bool {
	for i := range words {
		for n := 1; n <= f.longest && i+n <= len(words); n++ {
			if f.phrases[strings.Join(words[i:i+n], " ")] {
				return true
			}
		}
	}
	return false
}
