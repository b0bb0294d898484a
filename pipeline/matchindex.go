package pipeline

import (
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/store"
)

// matchIndex returns the corpus with the indexed files first, in index order. If the corpus was
// moved, names are relative to the folder in which most files match the index by size, then by
// fingerprint.
func (c *Corpus) matchIndex(x *folder.Index) (*Corpus, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.indexed == x {
		return c.ordered, c.ordered != c, nil
	}
	ordered, err := c.orderByIndex(x)
	if err != nil {
		return nil, false, err
	}
	c.indexed, c.ordered = x, c
	if ordered != nil {
		c.ordered = ordered
	}
	return c.ordered, ordered != nil, nil
}

// orderByIndex returns the corpus with the files of an index first, in index order.
func (c *Corpus) orderByIndex(x *folder.Index) (*Corpus, error) {
	there := make(map[string]bool, len(c.Files))
	for _, f := range c.Files {
		there[cleanName(f.Path)] = true
	}
	first := x.Files[:x.CountFirstFiles()]
	if len(first) == 0 {
		return nil, nil
	}
	var best []*Corpus
	most := 0
	for _, f := range c.Files {
		base, ends := strings.CutSuffix(cleanName(f.Path), first[0].Name)
		if !ends || base != "" && !strings.HasSuffix(base, "/") ||
			slices.ContainsFunc(first, func(f folder.SourceFile) bool { return !there[base+f.Name] }) {
			continue
		}
		from, err := newCorpus(c.Store, c.Options, slices.Clone(c.Files), base)
		if err != nil {
			return nil, err
		}
		ordered, same := from.putIndexedFirst(x)
		if ordered == nil || same < most {
			continue
		}
		if same > most {
			best, most = nil, same
		}
		best = append(best, ordered)
	}
	return findUnchanged(best, x)
}

// findUnchanged returns, of several corpora with other base folders, the one with the files of an
// index unchanged.
func findUnchanged(all []*Corpus, x *folder.Index) (*Corpus, error) {
	for i, c := range all {
		same := true
		for at := 0; len(all) > 1 && same && at < len(x.Files); at++ {
			err := c.checkContent(c.Files[at], x.Files[at])
			if store.IsEnvironmentError(err) {
				return nil, err
			}
			same = err == nil
		}
		if same || i == len(all)-1 {
			return c, nil
		}
	}
	return nil, nil
}

// putIndexedFirst returns the corpus with the files of an index first, and the number of them whose
// size is unchanged. It returns nil if one is missing.
func (c *Corpus) putIndexedFirst(x *folder.Index) (ordered *Corpus, same int) {
	at := make(map[string]int, len(c.Names))
	for i, name := range c.Names {
		at[name] = i
	}
	ordered = &Corpus{Store: c.Store, Options: c.Options}
	taken := make([]bool, len(c.Files))
	take := func(i int) {
		taken[i] = true
		ordered.Files, ordered.Names = append(ordered.Files, c.Files[i]), append(ordered.Names, c.Names[i])
	}
	for _, f := range x.Files {
		i, there := at[f.Name]
		if !there || taken[i] {
			return nil, 0
		}
		if c.Files[i].Size == f.Size {
			same++
		}
		take(i)
	}
	for i := range c.Files {
		if !taken[i] {
			take(i)
		}
	}
	return ordered, same
}
