package folder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"capgraph/internal/usage"
)

// PassPlan records what the output of a pass depends on.
type PassPlan struct {
	Pass     Pass            `json:"pass"`
	Format   string          `json:"format"`
	Version  string          `json:"version,omitempty"`
	Input    string          `json:"input,omitempty"`
	Settings json.RawMessage `json:"settings"`
}

// Hash returns the hash that names the plan.
func (p *PassPlan) Hash() string {
	data, err := json.Marshal(p)
	if err != nil {
		panic(err) // cannot fail: RawMessage was marshalled before
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// NewPlan returns the plan of a pass. version names its code, settings are written with their YAML
// names, and input is the plan hash of its input.
func NewPlan(pass Pass, version, input string, settings any) (*PassPlan, error) {
	written, err := settingsJSON(settings)
	if err != nil {
		return nil, fmt.Errorf("settings of pass %s: %w", pass, err)
	}
	return &PassPlan{Pass: pass, Format: FormatVersion, Version: version, Input: input, Settings: written}, nil
}

// IsReadable reports whether this version of capgraph reads the plan's format.
func (p *PassPlan) IsReadable() bool { return p.Format == FormatVersion }

// ReadPlan reads the plan of a pass; nil if the pass has not begun.
func (f Folder) ReadPlan(pass Pass) (*PassPlan, error) { return f.readPlan(pass, PlanFile(pass)) }

func (f Folder) readPlan(pass Pass, name string) (*PassPlan, error) {
	var p PassPlan
	err := f.ReadJSON(name, &p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if p.Pass != pass {
		return nil, f.damagedError(name, fmt.Errorf("it is of pass %q", p.Pass))
	}
	for _, shard := range strings.Split(p.Input, MissingShardMarker)[1:] {
		if !IsShardName(shard) {
			return nil, f.damagedError(name, fmt.Errorf("no shard can have the name %q", shard))
		}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, p.Settings); err != nil {
		return nil, f.damagedError(name, err)
	}
	p.Settings = compact.Bytes()
	return &p, nil
}

// ListChanges lists the differences between the plan of a folder and a new one.
func ListChanges(old, now *PassPlan) []string {
	var diffs []string
	differ := func(key, a, b string) {
		if a != b {
			diffs = append(diffs, fmt.Sprintf("%s: %s → %s", key, a, b))
		}
	}
	differ("format", old.Format, now.Format)
	differ("version", old.Version, now.Version)
	a, wrong := decodeSettings(old.Settings)
	b, alsoWrong := decodeSettings(now.Settings)
	if wrong != nil || alsoWrong != nil {
		return append(diffs, "settings")
	}
	flat := map[string][2]string{}
	flattenSettings(a, "", 0, flat)
	flattenSettings(b, "", 1, flat)
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		differ(key, orUnset(flat[key][0]), orUnset(flat[key][1]))
	}
	if len(diffs) == 0 && old.Input != now.Input {
		diffs = append(diffs, "its input, which was made anew")
	}
	return diffs
}

// decodeSettings decodes settings and keeps the digits of numbers, which may be too large for a
// float64.
func decodeSettings(settings json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(settings))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

func orUnset(s string) string {
	if s == "" {
		return "unset"
	}
	return s
}

// flattenSettings writes the leaves of v to a map, by path.
func flattenSettings(v any, path string, side int, to map[string][2]string) {
	if m, ok := v.(map[string]any); ok {
		for key, value := range m {
			flattenSettings(value, strings.TrimPrefix(path+"."+key, "."), side, to)
		}
		return
	}
	text, _ := json.Marshal(v)
	pair := to[path]
	pair[side] = string(text)
	to[path] = pair
}

// PinPlan writes the plan of a pass and returns it. If the folder has a plan already, that is
// returned, with an error if it is not compatible.
func (f Folder) PinPlan(now *PassPlan, finished bool) (*PassPlan, error) {
	old, err := f.ReadPlan(now.Pass)
	if err != nil {
		return nil, err
	}
	if old == nil {
		err := f.PublishJSON(PlanFile(now.Pass), now)
		var other *OtherContentError
		if !errors.As(err, &other) {
			return now, err
		}
		// Another process wrote its plan first.
		if old, err = f.ReadPlan(now.Pass); err != nil {
			return nil, err
		}
	}
	return old, f.CheckCompatible(old, now, finished)
}

// CheckCompatible returns an error if a run with the plan now cannot go on with a pass that has the
// plan old.
func (f Folder) CheckCompatible(old, now *PassPlan, finished bool) error {
	if IsCompatible(old, now, finished) {
		return nil
	}
	return IncompatibleError(f.Dir, old, now)
}

// IncompatibleError returns the error of a folder whose pass has a plan that differs from the
// recipe's: the differences and the remedy.
func IncompatibleError(dir string, old, now *PassPlan) error {
	if !old.IsReadable() {
		return usage.Errorf("%s holds format %s of pass %s, and this capgraph reads %s: use the capgraph that made it, or a newer one, or choose another output.dir",
			dir, old.Format, old.Pass, FormatVersion)
	}
	return usage.Errorf("%s was made by other settings of pass %s:\n  %s\nchoose another output.dir, go back to those settings, or replace the pass and those after it with --redo %s",
		dir, old.Pass, strings.Join(ListChanges(old, now), "\n  "), old.Pass)
}

// IsCompatible reports whether a run with the plan now can continue a pass that has the plan old. A
// finished pass whose plans differ only in the version keeps the old plan, so that a newer capgraph
// can continue from it.
func IsCompatible(old, now *PassPlan, finished bool) bool {
	return old.IsReadable() && (old.Hash() == now.Hash() || finished && differsInVersionOnly(old, now))
}

// differsInVersionOnly reports whether the plans differ only in the version of the code, and in
// settings that no longer exist and were off.
func differsInVersionOnly(old, now *PassPlan) bool {
	same := *now
	same.Version = old.Version
	if old.Hash() == same.Hash() {
		return true
	}
	if old.Pass != now.Pass || old.Format != now.Format || old.Input != now.Input {
		return false
	}
	a, wrong := decodeSettings(old.Settings)
	b, alsoWrong := decodeSettings(now.Settings)
	if wrong != nil || alsoWrong != nil {
		return false
	}
	flat := map[string][2]string{}
	flattenSettings(a, "", 0, flat)
	flattenSettings(b, "", 1, flat)
	for _, pair := range flat {
		if pair[0] != pair[1] && pair != [2]string{"false", ""} {
			return false
		}
	}
	return true
}

// CheckPlanUnchanged returns an error if the plan of a pass was replaced while something was made
// by it. Another process may replace it, or replace the index with the plans of all passes while
// nothing is finished.
func (f Folder) CheckPlanUnchanged(pass Pass, plan string) error {
	is, err := f.ReadPlan(pass)
	if err != nil {
		return err
	}
	if is == nil || is.Hash() != plan {
		return usage.Errorf("%s: another run replaced the settings of pass %s while this one, of which nothing was finished, was under way: run again with one of the two, or choose another output.dir for this", f.Dir, pass)
	}
	return nil
}
