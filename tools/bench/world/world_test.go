package main

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capgraph/synth"
	"capgraph/testing/longtest"
)

func TestFiguresOfSeeds(t *testing.T) {
	s := sample{60, 70, 65}
	if s.mean() != 65 || s.deviation() != 5 {
		t.Errorf("mean %v, deviation %v", s.mean(), s.deviation())
	}
	for _, c := range []struct {
		d    sample
		want int
	}{
		{sample{10, 12, 11}, 1}, {sample{-10, -12, -11}, -1}, {sample{10, -2, 5}, 0}, {sample{3, 3}, 0}, {nil, 0}, {sample{0, 0, 0}, 0},
		{sample{2, 2, 2}, 1}, {sample{math.NaN(), 1, 1}, 0},
	} {
		if got := c.d.compareWithZero(); got != c.want {
			t.Errorf("%v: %d, want %d", c.d, got, c.want)
		}
	}
	if got := s.minus(sample{50, 50, 50}); got[1] != 20 {
		t.Errorf("got %v", got)
	}
}

// TestTablesCompareWithTheFirst writes a table and its plot.
func TestTablesCompareWithTheFirst(t *testing.T) {
	of := func(x ...float64) map[string]sample { return map[string]sample{synth.TestPairs: x} }
	told := table{name: "free", title: "Free", seeds: 3, panels: worldOf("free").panels, rows: []row{
		{name: "clip", figures: of(50, 52, 51)}, {name: "better", figures: of(60, 62, 61)}, {name: "worse", figures: of(40, 43, 41)},
		{name: "other", figures: of(45, 60, 52)}, {name: "text", figures: of(90, 90, 90), beside: true}, {name: "none"},
	}}
	text := told.markdown()
	for _, want := range []string{
		"3 paired seeds. Beside “clip”", "| clip | – | – | – | 51.0 ± 1.0 |", "| better | – | – | – | 61.0 ± 1.0 ▲ |",
		"41.3 ± 1.5 ▼", "| other | – | – | – | 52.3 ± 7.5 |", "| text | – | – | – | 90.0 ± 0.0 |", "| none | – | – | – | – |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	svg, err := told.plot(told.panels[0])
	if err != nil || !strings.Contains(string(svg), "better") || !strings.Contains(string(svg), "<svg") {
		t.Errorf("%v\n%.300s", err, svg)
	}
}

func TestTablesAreBetweenTheirMarks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.md")
	begin, end := tableMarks("tuned")
	begin2, end2 := tableMarks("free")
	for _, c := range []struct{ before, after string }{
		{begin2 + end2 + begin + "old\n" + end + "b\n", begin2 + end2 + begin + "new\n" + end + "b\n"},
		{begin2 + end2, ""}, {begin + "open\n", ""},
	} {
		if err := os.WriteFile(file, []byte(c.before), 0o666); err != nil {
			t.Fatal(err)
		}
		err := writeBetweenMarks(file, "tuned", "new\n")
		data, _ := os.ReadFile(file)
		if (err == nil) != (c.after != "") || err == nil && string(data) != c.after {
			t.Errorf("%q: %q, %v", c.before, data, err)
		}
	}
}

// TestJobsAreShared counts what is run: arms of several studies once, and what
// others begin with before them.
func TestJobsAreShared(t *testing.T) {
	g := &grid{seeds: 2, steps: 100, scenes: 10, tests: 5, dir: "d"}
	some, err := chooseStudies("negatives,tuned", "")
	if err != nil {
		t.Fatal(err)
	}
	outs := map[string]job{}
	for _, j := range g.jobs(some) {
		if _, twice := outs[g.outputFolder(j)]; twice {
			t.Errorf("seed %d, %s, %s is run twice", j.seed, j.study.name, j.arm.name)
		}
		outs[g.outputFolder(j)] = j
		if _, there := outs[g.outputFolder(g.parent(j))]; j.from != "" && !there {
			t.Errorf("%s of %s begins with what is not run before", j.arm.name, j.study.name)
		}
	}
	for _, s := range studies() {
		for _, a := range s.arms {
			if _, known := variants[a.texts]; !known && a.texts != rightTexts {
				t.Errorf("%s: texts %q are unknown", a.name, a.texts)
			}
			if j := (job{s, a, 1}); s.from != "" && g.parent(j).arm.name == "" || j.estimate(g) <= 0 {
				t.Errorf("%s of %s begins with %q, and takes %v s", a.name, s.name, s.from, j.estimate(g))
			}
		}
	}
	if _, err := chooseStudies("free,nothing", ""); err == nil || !strings.Contains(err.Error(), `"nothing" is unknown`) {
		t.Errorf("an unknown study: %v", err)
	}
	scratch, _ := chooseStudies("free", "")
	if n, all := len(g.jobs(scratch)), len(scratch[0].arms); n != 2*all {
		t.Errorf("%d jobs of %d arms", n, all)
	}
}

// TestRunOfArms runs two arms and one tuned, for a few steps, twice: the second
// time nothing is left to do, and the tables are the same.
func TestRunOfArms(t *testing.T) {
	longtest.Only(t, "it trains")
	dir := t.TempDir()
	binary := filepath.Join(dir, "capgraph")
	if out, err := exec.Command("go", "build", "-o", binary, "../../../cmd/capgraph").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	g := &grid{binary: binary, recipe: "../../../train.yaml", pipeline: "../../../pipeline.yaml", dir: filepath.Join(dir, "bench"), seeds: 1, steps: 4, scenes: 130, tests: 5}
	s := studies()
	s[0].arms, s[3].arms = s[0].arms[:2], s[3].arms[:1]
	some := []study{s[0], s[3]}
	docs := filepath.Join(dir, "docs.md")
	var page strings.Builder
	for _, s := range some {
		begin, end := tableMarks(s.name)
		page.WriteString(begin + end)
	}
	var texts []string
	for range 2 {
		if err := os.WriteFile(docs, []byte(page.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := g.runAll(context.Background(), some, 1); err != nil {
			t.Fatal(err)
		}
		if err := g.writeTables(some, docs); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(docs)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data))
		g.binary = "none" // all is there
		if _, err := os.Stat(filepath.Join(dir, "figures", "world-tuned.svg")); err != nil {
			t.Error(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, "figures")); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"1 seed. Beside “clip”", "| negclip | ", "| clip, WiSE-FT 0.5 | ", "| *text only* | "} {
		if !strings.Contains(texts[0], want) {
			t.Errorf("no %q in\n%s", want, texts[0])
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("the second time:\n%s", texts[1])
	}
}

// TestColumnsAreMeasured looks for the test of each figure of a column.
func TestColumnsAreMeasured(t *testing.T) {
	for _, w := range worlds {
		for _, p := range w.panels {
			for _, c := range p.columns {
				for _, figure := range c.figures {
					test, _, ranked := strings.Cut(figure, " ")
					if ranked != c.isRetrieval() || !slices.Contains(slices.Concat(w.tests, w.retrieval), test) {
						t.Errorf("%s: column %q has figure %q, which no test has", w.name, c.title, figure)
					}
				}
			}
		}
	}
	mean := column{"both", []string{"a", "none", "b"}}.meanSample(map[string]sample{"a": {10, 20}, "b": {30, 50}})
	if len(mean) != 2 || mean[0] != 20 || mean[1] != 35 {
		t.Errorf("mean %v", mean)
	}
}

// TestArmsAreChosen chooses arms by a regular expression.
func TestArmsAreChosen(t *testing.T) {
	some, err := chooseStudies("emoji", "^clip(, equal time)?$")
	if err != nil || len(some) != 1 || len(some[0].arms) != 2 {
		t.Fatalf("%+v, %v", some, err)
	}
	g := &grid{}
	first, second := job{some[0], some[0].arms[0], 1}, job{some[0], some[0].arms[1], 1}
	if first.steps(g) != 2400 || second.steps(g) != 4800 || g.outputFolder(first) == g.outputFolder(second) {
		t.Errorf("%d and %d steps", first.steps(g), second.steps(g))
	}
	if g.steps = 50; second.steps(g) != 100 {
		t.Errorf("%d steps, not twice 50", second.steps(g))
	}
	for arms, want := range map[string]string{"none": "no such arm", "(": "-arms: error parsing regexp"} {
		if _, err := chooseStudies("emoji", arms); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("-arms %s: %v", arms, err)
		}
	}
}
