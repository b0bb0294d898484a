package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// tableMarks returns the lines before and after a study's table in a Markdown file.
func tableMarks(study string) (begin, end string) {
	return "<!-- tools/bench/world " + study + " -->\n", "<!-- /tools/bench/world " + study + " -->\n"
}

// writeTables writes the tables of the existing results and their plots into a Markdown file or, if
// docs is empty, the tables to standard output.
func (g *grid) writeTables(all []study, docs string) error {
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

// writeBetweenMarks replaces the text between a study's marks in a file.
func writeBetweenMarks(file, study, text string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := tableMarks(study)
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s lacks the lines %s and %s", file, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(file, []byte(before+begin+text+end+after), 0o666)
}

// table returns the table of a study. Each arm has the seeds with results, from the first on, and is
// compared with the same seeds of the study's first arm. Arms without results are left out.
func (g *grid) table(s study) (table, error) {
	t := table{name: s.name, title: s.title, panels: worldOf(s.world).panels}
	seeds := map[string]int{} // the number of seeds of the arms on these texts, by texts
	for i, a := range s.arms {
		var results []*result
		for seed := 1; seed <= min(g.seeds, s.seeds); seed++ {
			r, err := g.readResult(job{s, a, seed})
			if err != nil {
				return t, err
			}
			if r == nil {
				break
			}
			results = append(results, r)
		}
		if len(results) == 0 {
			if i == 0 {
				return t, nil
			}
			continue
		}
		if i == 0 {
			t.seeds = len(results)
		}
		results = results[:min(len(results), t.seeds)]
		name := a.name
		if len(results) < t.seeds {
			name += fmt.Sprintf(" (%d)", len(results))
			t.fewer = true
		}
		seeds[a.texts] = max(seeds[a.texts], len(results))
		t.rows = append(t.rows, row{name: name, figures: percentFigures(results, func(r *result) map[string]float64 { return r.After })})
		if a.wise {
			t.rows = append(t.rows, row{name: name + ", WiSE-FT 0.5", figures: percentFigures(results, func(r *result) map[string]float64 { return r.Wise })})
		}
	}
	return t, g.addTextOnly(&t, s, seeds)
}

// addTextOnly adds a row for each kind of a study's texts: the accuracy of a text-only classifier, for
// the number of seeds in seeds.
func (g *grid) addTextOnly(t *table, s study, seeds map[string]int) error {
	for _, a := range s.arms {
		n := seeds[a.texts]
		if n == 0 {
			continue
		}
		r := row{name: "*text only*", beside: true, figures: map[string]sample{}}
		if len(seeds) > 1 {
			r.name = "*text only, " + a.name + "*"
		}
		for seed := 1; seed <= n; seed++ {
			told, err := g.textOnly(s.world, seed, a.texts)
			if err != nil {
				return err
			}
			for name, v := range told {
				r.figures[name] = append(r.figures[name], v)
			}
		}
		t.rows = append(t.rows, r)
		seeds[a.texts] = 0
	}
	return nil
}

// percentFigures returns the figures of results by name, in percent.
func percentFigures(results []*result, of func(*result) map[string]float64) map[string]sample {
	all := map[string]sample{}
	for _, r := range results {
		for name, v := range of(r) {
			all[name] = append(all[name], 100*v)
		}
	}
	return all
}
