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

// PassPlan pins what the bytes of a pass in a folder depend on.
type PassPlan struct {
	Pass     Pass            `json:"pass"`
	Format   string          `json:"format"`
	Version  string          `json:"version,omitempty"`
	Input    string          `json:"input,omitempty"`
	Settings json.RawMessage `json:"settings"`
}

// Hash names the plan.
func (p *PassPlan) Hash() string {
	data, err := json.Marshal(p)
	if err != nil {
		panic(err) // RawMessage was marshalled before
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// NewPlan is the plan of a pass by the code of that version with settings, whose
// names are those that they have in YAML. input is the hash of the plan of its input.
func NewPlan(pass Pass, version, input string, settings any) (*PassPlan, error) {
	written, err := settingsJSON(settings)
	if err != nil {
		return nil, fmt.Errorf("settings of pass %s: %w", pass, err)
	}
	return &PassPlan{Pass: pass, Format: FormatVersion, Version: version, Input: input, Settings: written}, nil
}

// Readable reports whether this version of capgraph reads the plan's format.
func (p *PassPlan) Readable() bool { return p.Format == FormatVersion }

// Plan reads the pinned plan of a pass; nil where the pass has not begun.
func (f Folder) Plan(pass Pass) (*PassPlan, error) { return f.readPlan(pass, PlanFile(pass)) }

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
		return nil, f.damaged(name, fmt.Errorf("it is of pass %q", p.Pass))
	}
	for _, shard := range strings.Split(p.Input, Without)[1:] {
		if !IsShardName(shard) {
			return nil, f.damaged(name, fmt.Errorf("no shard can have the name %q", shard))
		}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, p.Settings); err != nil {
		return nil, f.damaged(name, err)
	}
	p.Settings = compact.Bytes()
	return &p, nil
}

// Changed tells in words what differs between the pinned plan and the new one.
func Changed(old, now *PassPlan) []string {
	var diffs []string
	differ := func(key, a, b string) {
		if a != b {
			diffs = append(diffs, fmt.Sprintf("%s: %s → %s", key, a, b))
		}
	}
	differ("format", old.Format, now.Format)
	differ("version", old.Version, now.Version)
	a, wrong := decoded(old.Settings)
	b, alsoWrong := decoded(now.Settings)
	if wrong != nil || alsoWrong != nil {
		return append(diffs, "settings")
	}
	flat := map[string][2]string{}
	flatten(a, "", 0, flat)
	flatten(b, "", 1, flat)
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		differ(key, orUnset(flat[key][0]), orUnset(flat[key][1]))
	}
	if len(diffs) == 0 && old.Input != now.Input {
		diffs = append(diffs, "its input, which was made anew")
	}
	return diffs
}

// decoded are settings with their numbers as they are written, which may be too
// large for a float64 to tell apart.
func decoded(settings json.RawMessage) (v any, err error) {
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

// flatten writes the leaves of v under their paths.
func flatten(v any, path string, side int, to map[string][2]string) {
	if m, ok := v.(map[string]any); ok {
		for key, value := range m {
			flatten(value, strings.TrimPrefix(path+"."+key, "."), side, to)
		}
		return
	}
	text, _ := json.Marshal(v)
	pair := to[path]
	pair[side] = string(text)
	to[path] = pair
}

// Pin makes a plan that of the folder, or compares it with the one there.
func (f Folder) Pin(now *PassPlan, finished bool) (*PassPlan, error) {
	old, err := f.Plan(now.Pass)
	if err != nil {
		return nil, err
	}
	if old == nil {
		err := f.PublishJSON(PlanFile(now.Pass), now)
		var other *OtherContentError
		if !errors.As(err, &other) {
			return now, err
		}
		// Another process was first.
		if old, err = f.Plan(now.Pass); err != nil {
			return nil, err
		}
	}
	return old, f.Same(old, now, finished)
}

// Same checks that a run with the plan now may go on with a pass that has the
// plan old.
func (f Folder) Same(old, now *PassPlan, finished bool) error {
	if GoesOn(old, now, finished) {
		return nil
	}
	return Incompatible(f.Dir, old, now)
}

// Incompatible returns the error that a pass of the folder dir has another plan than that of the
// recipe: what differs, and what to do.
func Incompatible(dir string, old, now *PassPlan) error {
	if !old.Readable() {
		return usage.Errorf("%s holds format %s of pass %s, and this capgraph reads %s: use the capgraph that made it, or a newer one, or choose another output.dir",
			dir, old.Format, old.Pass, FormatVersion)
	}
	return usage.Errorf("%s was made by other settings of pass %s:\n  %s\nchoose another output.dir, go back to those settings, or replace the pass and those after it with --redo %s",
		dir, old.Pass, strings.Join(Changed(old, now), "\n  "), old.Pass)
}

// GoesOn tells whether a run with the plan now may go on with a pass that has
// the plan old. Where the pass is finished and only what made it differs, the
// old plan stands: a newer capgraph goes on from what an older one finished.
func GoesOn(old, now *PassPlan, finished bool) bool {
	return old.Readable() && (old.Hash() == now.Hash() || finished && sameButMaker(old, now))
}

// sameButMaker reports whether the plans differ only in the version of the code.
func sameButMaker(old, now *PassPlan) bool {
	same := *now
	same.Version = old.Version
	return old.Hash() == same.Hash()
}

// StillPlanned checks that the plan by which something was made is still that of the
// pass: another process may have replaced it, or that of the index, which takes those of
// all passes with it, as nothing was finished.
func (f Folder) StillPlanned(pass Pass, plan string) error {
	is, err := f.Plan(pass)
	if err != nil {
		return err
	}
	if is == nil || is.Hash() != plan {
		return usage.Errorf("%s: another run replaced the settings of pass %s while this one, of which nothing was finished, was under way: run again with one of the two, or choose another output.dir for this", f.Dir, pass)
	}
	return nil
}
