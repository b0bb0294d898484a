package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// marks are the lines between which a study's table stands in a Markdown file.
func marks(study string) (begin, end string) {
	return "<!-- tools/bench/world " + study + " -->\n", "<!-- /tools/bench/world " + study + " -->\n"
}

// tell writes the tables of what is there, and their plots: into a Markdown file, or if docs is
// empty, to the standard output.
func (g *grid) tell(all []study, docs string) error {
	for _, s := range all {
		t, err := g.table(s)
		switch {
		case err != nil:
			return err
		case t.seeds == 0:
			continue
		case docs == "":
			fmt.Print("\n" + t.markdown())
			continue
		}
		text := "\n" + t.markdown() + "\n"
		for _, p := range t.panels {
			svg, err := t.plot(p)
			if err != nil {
				return err
			}
			name := filepath.Join("figures", "world-"+s.name+p.name+".svg")
			file := filepath.Join(filepath.Dir(docs), name)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(file, svg, 0o666); err != nil {
				return err
			}
			text += fmt.Sprintf("![%s](%s)\n", strings.TrimSuffix(s.title+": "+p.title, ": "), filepath.ToSlash(name))
		}
		if err := writeBetweenMarks(docs, s.name, text+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// writeBetweenMarks puts a text between a study's marks in a file.
func writeBetweenMarks(file, study, text string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := marks(study)
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s lacks the lines %s and %s", file, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(file, []byte(before+begin+text+end+after), 0o666)
}

// table gathers a study: the seeds that all its arms have.
func (g *grid) table(s study) (table, error) {
	t := table{name: s.name, title: s.title, panels: worldOf(s.world).panels}
	results := make([][]*result, len(s.arms))
	for seed := 1; seed <= min(g.seeds, s.seeds); seed++ {
		whole := true
		got := make([]*result, len(s.arms))
		for i, a := range s.arms {
			r, err := g.done(job{s, a, seed})
			if err != nil {
				return t, err
			}
			got[i], whole = r, whole && r != nil
		}
		if !whole {
			break
		}
		t.seeds = seed
		for i := range got {
			results[i] = append(results[i], got[i])
		}
	}
	if t.seeds == 0 {
		return t, nil
	}
	for i, a := range s.arms {
		t.rows = append(t.rows, row{name: a.name, figures: figures(results[i], func(r *result) map[string]float64 { return r.After })})
		if a.wise {
			t.rows = append(t.rows, row{name: a.name + ", WiSE-FT 0.5", figures: figures(results[i], func(r *result) map[string]float64 { return r.Wise })})
		}
	}
	return t, g.addTextOnly(&t, s)
}

// addTextOnly adds a row of what words tell for each of a study's texts.
func (g *grid) addTextOnly(t *table, s study) error {
	several := slices.ContainsFunc(s.arms, func(a arm) bool { return a.texts != s.arms[0].texts })
	seen := map[string]bool{}
	for _, a := range s.arms {
		if seen[a.texts] {
			continue
		}
		seen[a.texts] = true
		r := row{name: "*text only*", beside: true, figures: map[string]sample{}}
		if several {
			r.name = "*text only, " + a.name + "*"
		}
		for seed := 1; seed <= t.seeds; seed++ {
			told, err := g.textOnly(s.world, seed, a.texts)
			if err != nil {
				return err
			}
			for name, v := range told {
				r.figures[name] = append(r.figures[name], v)
			}
		}
		t.rows = append(t.rows, r)
	}
	return nil
}

// figures are those of results, in percent.
func figures(results []*result, of func(*result) map[string]float64) map[string]sample {
	all := map[string]sample{}
	for _, r := range results {
		for name, v := range of(r) {
			all[name] = append(all[name], 100*v)
		}
	}
	return all
}
