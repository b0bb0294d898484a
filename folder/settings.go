package folder

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"

	"github.com/goccy/go-yaml"
)

// settingsJSON writes settings as compact JSON, with the names that a recipe has.
func settingsJSON(settings any) (json.RawMessage, error) {
	text, err := yaml.MarshalWithOptions(settings, yaml.JSON())
	if err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, escape.ReplaceAllFunc(text, unescapeJSON)); err != nil {
		return nil, err
	}
	return compact.Bytes(), nil
}

// escape matches an escape sequence in a string as goccy/go-yaml writes it, with the syntax of Go.
var escape = regexp.MustCompile(`\\(x[0-9a-f]{2}|U[0-9a-f]{8}|.)`)

// unescapeJSON returns the JSON form of an escape sequence that Go has and JSON does not: \x1b, \a,
// \v, \U000e0067. Others are returned unchanged.
func unescapeJSON(goEscape []byte) []byte {
	switch goEscape[1] {
	case 'x', 'U', 'a', 'v':
		if text, err := strconv.Unquote(`"` + string(goEscape) + `"`); err == nil {
			if quoted, err := json.Marshal(text); err == nil {
				return quoted[1 : len(quoted)-1]
			}
		}
	}
	return goEscape
}
