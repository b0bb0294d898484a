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

// step is a pass, or a step of one.
type step struct {
	pass folder.Pass
	name string // empty if the pass has no steps
}

func (s step) String() string { return strings.TrimSpace(string(s.pass) + " " + s.name) }

// cost is the processor time of a step, in seconds.
type cost struct {
	step
	fixed, row float64
}

func (c cost) of(rows float64) float64 { return c.fixed + c.row*rows }

// costs runs a small corpus and a larger one with one worker. What a step takes is
// taken to be linear in the rows. Seconds are those of the clock, times the share of a
// processor that the process had.
func (p *program) costs(few, many int) ([]cost, usage, error) {
	steps, a, _, err := p.seconds(few)
	if err != nil {
		return nil, usage{}, err
	}
	_, b, u, err := p.seconds(many)
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

// seconds runs n captions, and returns its steps in their order and their times.
func (p *program) seconds(n int) ([]step, map[step]float64, usage, error) {
	source, out := filepath.Join(p.dir, fmt.Sprint(n, ".tsv")), filepath.Join(p.dir, fmt.Sprint(n))
	if err := generate(source, n); err != nil {
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
