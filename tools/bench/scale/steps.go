package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"capgraph/folder"
)

// step is a pass, or a named step of one.
type step struct {
	pass folder.Pass
	name string // empty if the pass has no steps
}

func (s step) String() string { return strings.TrimSpace(string(s.pass) + " " + s.name) }

// cost is the processor time of a step: fixed seconds, and seconds per row.
type cost struct {
	step
	fixed, row float64
}

func (c cost) seconds(rows float64) float64 { return c.fixed + c.row*rows }

// measureCosts returns the costs of the steps, from runs over a small and a larger corpus with one
// worker. The time of a step is assumed to be linear in the rows. Times are elapsed seconds,
// multiplied by the share of a processor that the process had.
func (p *program) measureCosts(few, many int) ([]cost, usage, error) {
	steps, a, _, err := p.timeSteps(few)
	if err != nil {
		return nil, usage{}, err
	}
	_, b, u, err := p.timeSteps(many)
	if err != nil {
		return nil, usage{}, err
	}
	var all []cost
	for _, s := range steps {
		row := max(b[s]-a[s], 0) / float64(many-few)
		all = append(all, cost{s, max(a[s]-row*float64(few), 0), row})
	}
	return all, u, nil
}

// timeSteps runs the program over n captions, and returns its steps in their order and their times.
func (p *program) timeSteps(n int) ([]step, map[step]float64, usage, error) {
	source, out := filepath.Join(p.dir, fmt.Sprint(n, ".tsv")), filepath.Join(p.dir, fmt.Sprint(n))
	if err := writeCaptions(source, n); err != nil {
		return nil, nil, usage{}, err
	}
	var log bytes.Buffer
	u, err := p.run(&log, source, out, 1, "--progress", "json")
	if err != nil {
		return nil, nil, u, err
	}
	var steps []step
	of := map[step]float64{}
	for d := json.NewDecoder(&log); d.More(); {
		var line struct {
			Pass    folder.Pass
			Step    string
			Seconds float64
			Done    bool
		}
		if err := d.Decode(&line); err != nil {
			return nil, nil, u, fmt.Errorf("what capgraph logs: %w", err)
		}
		if line.Done {
			s := step{line.Pass, line.Step}
			steps = append(steps, s)
			of[s] = line.Seconds * u.processor / u.elapsed
		}
	}
	return steps, of, u, os.RemoveAll(out)
}
