package clean

import (
	"fmt"
	"slices"
)

// The values of Options.Person: what is done with <PERSON>, which stands for a name in CC12M.
const (
	PersonReplace = "person" // becomes the word "person"; several in a row become one
	PersonKeep    = "keep"   // stays as <PERSON>
	PersonReject  = "reject" // the caption is rejected
)

// The values of Options.Language.
const (
	LanguageEnglish = "en"  // captions that are not English are rejected
	LanguageAny     = "any" // they are kept, but not parsed
)

// Options are the settings under clean: in pipeline.yaml. A word is a run of characters between
// spaces that has a letter or a digit; in scripts without spaces, such as Chinese, each letter is a
// word. Characters are Unicode code points.
type Options struct {
	Person   string `yaml:"person" doc:"what becomes of <PERSON>, which stands for a name: person (the word), keep or reject"`
	Language string `yaml:"language" doc:"en: captions in another language are rejected; any: they are kept, without a graph"`
	MinWords int    `yaml:"min_words" doc:"fewest words: runs between spaces with a letter or a digit"`
	MaxWords int    `yaml:"max_words" doc:"most words"`
	MinChars int    `yaml:"min_chars" doc:"fewest characters"`
	MaxChars int    `yaml:"max_chars" doc:"most characters"`
}

// Defaults returns the options for English captions and alt-texts.
func Defaults() Options {
	return Options{
		Person:   PersonReplace,
		Language: LanguageEnglish,
		MinWords: 2,
		MaxWords: 5000,
		MinChars: 5,
		MaxChars: 30000,
	}
}

// Validate returns an error that names the first key with an impossible value, and the possible
// values.
func (o Options) Validate() error {
	if err := checkOneOf("person", o.Person, PersonReplace, PersonKeep, PersonReject); err != nil {
		return err
	}
	if err := checkOneOf("language", o.Language, LanguageEnglish, LanguageAny); err != nil {
		return err
	}
	if err := checkBounds("words", o.MinWords, o.MaxWords); err != nil {
		return err
	}
	return checkBounds("chars", o.MinChars, o.MaxChars)
}

func checkOneOf(key, value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return fmt.Errorf("%s: %q is none of %q", key, value, values)
}

func checkBounds(unit string, least, most int) error {
	if least < 1 {
		return fmt.Errorf("min_%s: %d is less than 1", unit, least)
	}
	if most < least {
		return fmt.Errorf("max_%s: %d is less than min_%s, %d", unit, most, unit, least)
	}
	return nil
}
