package pipeline

import (
	"errors"
	"strings"
	"testing"

	"capgraph/folder"
	"capgraph/internal/usage"
)

// planOf is a plan of the pass count, or of another that is named before a colon, by settings,
// version and input: "seed 1, v1, in".
func planOf(t *testing.T, text string) *folder.PassPlan {
	t.Helper()
	if text == "" {
		return nil
	}
	pass := folder.PassCount
	if name, rest, named := strings.Cut(text, ": "); named {
		pass, text = folder.Pass(name), rest
	}
	parts := strings.Split(text, ", ")
	p, err := folder.NewPlan(pass, parts[1], parts[2], map[string]string{"seed": parts[0]})
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) > 3 {
		p.Format = parts[3]
	}
	return p
}

const (
	asked      = "asked"
	followed   = "followed"
	complete   = "complete"
	overShards = "overShards"
	earlier    = "earlier"
	part       = "part"
	after      = "after" // --only names a pass after this one
	onlyThis   = "onlyThis"
	onlyOther  = "onlyOther" // --only names a pass before this one
)

func TestDecide(t *testing.T) {
	const (
		plan    = "1, v1, in"
		seed    = "2, v1, in"
		version = "1, v2, in"
		input   = "1, v1, other"
		without = "1, v1, in without a"
		lacking = "1, v1, in without a without b"
		format  = "1, v1, in, 1"
		texts   = "texts: 1, v1, in"
		joined  = "texts: 1, v1, in and more"
		other   = "texts: 2, v1, in and more"
		coded   = "texts: 1, v2, in and more"
	)
	for _, c := range []struct {
		old, now string
		finished int
		flags    string
		action   action
		plan     string // "old" or "now"
		err      string
	}{
		// Nothing is there.
		{"", plan, 0, asked, start, "now", ""},
		{"", plan, 0, asked + part, start, "now", ""},
		{"", plan, 0, asked + overShards, start, "now", ""},
		{"", plan, 0, "", skip, "now", ""},
		{"", plan, 0, followed + after, skip, "now", ""},
		{"", texts, 0, asked + earlier, start, "now", ""},
		// The same plan.
		{plan, plan, 0, asked, resume, "old", ""},
		{plan, plan, 3, asked, resume, "old", ""},
		{plan, plan, 3, asked + complete, keep, "old", ""},
		{plan, plan, 3, asked + part, resume, "old", ""},
		{plan, plan, 3, "", skip, "old", ""},
		{plan, plan, 3, followed + after, skip, "old", ""},
		{plan, plan, 3, followed + after + complete, skip, "old", ""},
		// Another version of the code: a finished pass stays.
		{plan, version, 3, asked + complete, keep, "old", ""},
		{plan, version, 3, asked, refuse, "", "version: v1 → v2"},
		{plan, version, 0, asked, replace, "now", ""},
		{plan, version, 3, followed + after + complete, skip, "old", ""},
		{plan, version, 3, followed + after, refuse, "", "version: v1 → v2"},
		{plan, version, 3, "", skip, "old", ""},
		// Other settings.
		{plan, seed, 3, asked, refuse, "", `seed: "1" → "2"`},
		{plan, seed, 3, asked + complete, refuse, "", "replace the pass and those after it with --redo count"},
		{plan, seed, 0, asked, replace, "now", ""},
		{plan, seed, 0, asked + part, replace, "now", ""},
		{plan, seed, 0, followed + after, refuse, "", `seed: "1" → "2"`},
		{plan, seed, 3, followed + after + complete, refuse, "", `seed: "1" → "2"`},
		{plan, seed, 3, "", skip, "old", ""},
		// Another input.
		{plan, input, 3, asked + complete, refuse, "", "its input, which was made anew"},
		{plan, input, 0, asked, replace, "now", ""},
		{plan, input, 3, "", skip, "old", ""},
		// A format that this version does not read.
		{format, plan, 3, asked + complete, refuse, "", "holds format 1 of pass count"},
		{format, plan, 0, asked, refuse, "", "holds format 1"},
		{format, plan, 3, "", skip, "old", ""},
		// Shards that the pass was made without are there now.
		{without, plan, 1, asked + overShards + complete, rebuild, "now", ""},
		{lacking, without, 1, asked + overShards + complete, rebuild, "now", ""},
		{without, plan, 1, asked + overShards, rebuild, "now", ""},
		{without, plan, 1, asked + overShards + onlyThis, rebuild, "now", ""},
		{without, plan, 1, asked + overShards + part, refuse, "", "run once with --only count and without --shard"},
		{without, plan, 1, overShards + followed + after, refuse, "", "needs all of pass count"},
		{without, plan, 1, overShards + onlyOther, skip, "old", ""},
		{without, plan, 1, asked + complete, refuse, "", "its input"},
		{without, seed, 1, asked + overShards + complete, refuse, "", `seed: "1" → "2"`},
		{plan, without, 1, asked + overShards + complete, refuse, "", "its input"},
		{lacking, without, 1, asked + overShards + part, refuse, "", "was made without b, which is there by now"},
		// Texts that were made before files joined.
		{texts, joined, 5, asked + earlier, renew, "now", ""},
		{texts, joined, 5, asked + earlier + complete, renew, "now", ""},
		{texts, other, 5, asked + earlier, refuse, "", `seed: "1" → "2"`},
		{texts, coded, 5, asked + earlier, renew, "now", ""},
		{texts, texts, 5, asked + earlier + complete, keep, "old", ""},
		{texts, joined, 5, asked + complete, refuse, "", "its input"},
	} {
		has := func(flag string) bool { return strings.Contains(c.flags, flag) }
		s := situation{
			dir: "out", old: planOf(t, c.old), now: planOf(t, c.now), finished: c.finished, complete: has(complete),
			asked: has(asked), followed: has(followed), after: has(after), parts: 1, overShards: has(overShards), earlier: has(earlier),
		}
		switch {
		case has(onlyThis):
			s.only = s.now.Pass
		case has(onlyOther):
			s.only = folder.PassParse
		case has(after):
			s.only = folder.PassTexts
		}
		if has(part) {
			s.parts = 2
		}
		if s.old != nil {
			now := *s.now
			now.Input = s.old.Input
			s.later = []replanned{{s.now.Pass, s.old, &now}, {folder.PassTexts, nil, nil}}
		}
		d := decide(s)
		if d.action != c.action {
			t.Errorf("%q, %q, %d, %s: %v, want %v", c.old, c.now, c.finished, c.flags, d.action, c.action)
			continue
		}
		switch {
		case c.action == refuse && (d.err == nil || !strings.Contains(d.err.Error(), c.err)):
			t.Errorf("%q, %q, %d, %s: error %v, want %q", c.old, c.now, c.finished, c.flags, d.err, c.err)
		case c.plan == "old" && d.plan != s.old, c.plan == "now" && d.plan != s.now:
			t.Errorf("%q, %q, %d, %s: the plan is %v, want %s", c.old, c.now, c.finished, c.flags, d.plan, c.plan)
		}
		if c.action == rebuild && len(d.recovered) != 1 {
			t.Errorf("%q, %q: recovered %q", c.old, c.now, d.recovered)
		}
	}
}

// Refusals end with the exit code of a wrong recipe, or of an input that is not whole.
func TestRefusalsSayWhichKind(t *testing.T) {
	s := situation{dir: "out", old: planOf(t, "1, v1, in without a"), now: planOf(t, "1, v1, in"), overShards: true, after: true, followed: true, only: folder.PassTexts}
	var unready *NotReadyError
	if d := decide(s); !errors.As(d.err, &unready) || unready.Pass != folder.PassTexts || unready.Needs != folder.PassCount {
		t.Errorf("%v", d.err)
	}
	s = situation{dir: "out", old: planOf(t, "1, v1, in"), now: planOf(t, "2, v1, in"), asked: true, finished: 1}
	var wrong *usage.Error
	if d := decide(s); !errors.As(d.err, &wrong) {
		t.Errorf("%v", d.err)
	}
}
