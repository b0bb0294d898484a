//go:build lingua

package curate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pemistahl/lingua-go"
)

// languages decides whether a text is in one of the wanted languages.
type languages struct {
	detector lingua.LanguageDetector
	wanted   []lingua.Language
}

// otherLanguages are the languages of the web that are distinguished beside the wanted ones.
var otherLanguages = []lingua.Language{
	lingua.English, lingua.German, lingua.French, lingua.Spanish, lingua.Portuguese, lingua.Italian, lingua.Dutch, lingua.Russian,
	lingua.Chinese, lingua.Japanese, lingua.Polish, lingua.Turkish, lingua.Arabic, lingua.Korean,
}

// newLanguages returns nil for no codes.
func newLanguages(codes []string) (*languages, error) {
	if len(codes) == 0 {
		return nil, nil
	}
	l := &languages{}
	for _, code := range codes {
		at := slices.IndexFunc(lingua.AllLanguages(), func(l lingua.Language) bool {
			return strings.EqualFold(l.IsoCode639_1().String(), code)
		})
		if at < 0 {
			return nil, fmt.Errorf("%q is no ISO 639-1 code of a known language", code)
		}
		l.wanted = append(l.wanted, lingua.AllLanguages()[at])
	}
	l.detector = lingua.NewLanguageDetectorBuilder().FromLanguages(append(slices.Clone(otherLanguages), l.wanted...)...).Build()
	return l, nil
}

// isWanted reports whether text is in one of the languages. A text whose language is not
// recognised, such as a number, is wanted.
func (l *languages) isWanted(text string) bool {
	if l == nil {
		return true
	}
	found, ok := l.detector.DetectLanguageOf(text)
	return !ok || slices.Contains(l.wanted, found)
}
