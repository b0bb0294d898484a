package folder

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"capgraph/internal/usage"
)

// moved are the settings that a pass of an older capgraph had, and that another pass
// has now.
var moved = []struct {
	setting  string
	from, to Pass
}{
	{"dedupe", PassParse, PassTally},
}

// withoutMoved are the settings of a plan but for those that its pass has no more.
func (p *PassPlan) withoutMoved() *PassPlan {
	only := *p
	for _, m := range moved {
		if m.from == p.Pass {
			only.Settings = without(only.Settings, m.setting)
		}
	}
	return &only
}

// without takes a setting off compact settings and leaves the others as they are
// written.
func without(settings json.RawMessage, name string) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(settings))
	if brace, err := d.Token(); err != nil || brace != json.Delim('{') {
		return settings
	}
	var left [][]byte
	for d.More() {
		begin := d.InputOffset()
		key, err := d.Token()
		var value json.RawMessage
		if err = errors.Join(err, d.Decode(&value)); err != nil {
			return settings
		}
		if key != name {
			left = append(left, bytes.TrimPrefix(settings[begin:d.InputOffset()], []byte(",")))
		}
	}
	return slices.Concat([]byte("{"), bytes.Join(left, []byte(",")), []byte("}"))
}

// setting is the value of a setting; nil where there is none.
func setting(settings json.RawMessage, name string) (json.RawMessage, error) {
	var all map[string]json.RawMessage
	err := json.Unmarshal(settings, &all)
	return all[name], err
}

// CountedInParse tells whether a folder was finished by an older capgraph, whose pass
// parse counted: it has no pass tally, and goes on without it.
func (s *State) CountedInParse() bool {
	tally, count, parse := s.passes[PassTally], s.passes[PassCount], s.passes[PassParse]
	if tally.plan != nil || len(tally.finished) > 0 || count.plan == nil || parse.plan == nil || !s.Complete(PassCount) {
		return false
	}
	input, _, _ := strings.Cut(count.plan.Input, Without)
	return input == parse.plan.Hash()
}

// Without stands before the name of each shard that the input of a plan lacks.
const Without = " without "

// CheckCountedInParse checks that an older capgraph counted what the pass tally by the
// plan now would.
func (s *State) CheckCountedInParse(now *PassPlan) error {
	for _, m := range moved {
		if m.to != now.Pass {
			continue
		}
		old, err := setting(s.passes[m.from].plan.Settings, m.setting)
		if err != nil {
			return err
		}
		want, err := setting(now.Settings, m.setting)
		if err != nil {
			return err
		}
		if !bytes.Equal(old, want) {
			return usage.Errorf("%s was made by other settings:\n  %s: %s → %s\nchoose another output.dir, go back to those settings, or count anew with --redo %s, which keeps the graphs",
				s.Folder.Dir, m.setting, old, want, m.to)
		}
	}
	return nil
}
