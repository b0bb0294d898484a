package sources

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"capgraph/store"
)

//go:embed recaptions.tsv
var recaptionsTSV string

// ModelCaptions describes captions that a model wrote.
type ModelCaptions struct {
	// Corpus is the published corpus that has these columns. Alt are the columns of its alt texts,
	// which are not read.
	Corpus string
	Alt    []string
}

// modelCorpus is a published corpus with captions by models: a row of recaptions.tsv.
type modelCorpus struct {
	name, image, key string
	captions, alt    []string
}

// modelCorpora are the rows of recaptions.tsv.
var modelCorpora = func() (all []modelCorpus) {
	list := func(cell string) []string {
		if cell == "-" {
			return nil
		}
		return strings.Split(cell, ", ")
	}
	for line := range strings.Lines(recaptionsTSV) {
		if f := strings.Split(line, "\t"); line[0] != '#' && f[0] != "corpus" {
			all = append(all, modelCorpus{name: f[0], captions: list(f[1]), alt: list(f[2]), image: strings.Trim(f[3], "-"), key: strings.Trim(f[4], "-")})
		}
	}
	return all
}()

// tryModelCaptions returns a trial that reads the captions of a known corpus of model captions; nil
// if the file has no columns of one.
func (t *formatTrial) tryModelCaptions(ctx context.Context, s store.Store, file File) *formatTrial {
	f, err := t.Options.formatByName()
	if err != nil || !f.hasLists {
		return nil
	}
	for _, corpus := range modelCorpora {
		c := *t
		// If the columns are not listed, check whether the first row has the captions.
		captions := corpus.captions
		if t.columns != nil {
			captions = slices.DeleteFunc(slices.Clone(captions), func(n string) bool { return !t.hasColumn(n) })
		}
		if len(captions) == 0 || t.columns == nil && !c.hasInFirstRow(ctx, s, file, captions) {
			continue
		}
		c.Options.Columns = map[string][]string{Caption: captions}
		if corpus.image != "" && !slices.Contains(imageColumns, corpus.image) && t.hasColumn(corpus.image) && !(f.isSample && t.named > 0) {
			c.Options.Columns[Image] = []string{corpus.image}
		}
		if corpus.key != "" && t.hasColumn(corpus.key) && slices.Contains(f.Roles, Key) {
			c.Options.Columns[Key] = []string{corpus.key}
		}
		if c.readRows(ctx, s, file) != nil || 2*c.words <= c.good {
			continue
		}
		c.Models = &ModelCaptions{Corpus: corpus.name, Alt: intersectNames(corpus.alt, t.columns)}
		return &c
	}
	return nil
}

// hasColumn reports whether the file has a column with that name, or one that the name reaches into.
func (t *formatTrial) hasColumn(name string) bool {
	has := func(n string) bool { return slices.Contains(t.columns, n) }
	if has(name) || outerColumn(name, has) != "" {
		return true
	}
	return has(trimListIndexes(name))
}

// trimListIndexes returns a name with dots without the list indexes in it: conversations.value for
// conversations.1.value.
func trimListIndexes(name string) string {
	var fields []string
	for field := range strings.SplitSeq(name, ".") {
		if strings.Trim(field, "0123456789") != "" {
			fields = append(fields, field)
		}
	}
	return strings.Join(fields, ".")
}

// hasInFirstRow reports whether the first row of a file has a caption in these columns.
func (t formatTrial) hasInFirstRow(ctx context.Context, s store.Store, file File, captions []string) bool {
	t.Options.Columns = map[string][]string{Caption: captions}
	r, err := Scan(ctx, s, file, t.Options)
	if err != nil {
		return false
	}
	defer r.Close()
	var row Row
	return r.Next(&row) == nil && row.Reject == ""
}

// Lengths describes the captions in the first rows: their lengths and how they begin.
type Lengths struct {
	// Words has their numbers of words, ascending.
	Words []int
	// Several is the number of captions with two or more sentences. Shown is the number of those that
	// begin like a model's, such as "The image shows".
	Several, Shown int
}

// add adds the length and the beginning of a caption.
func (l *Lengths) add(caption string) {
	n := len(strings.Fields(caption))
	at, _ := slices.BinarySearch(l.Words, n)
	l.Words = slices.Insert(l.Words, at, n)
	if i := strings.IndexAny(strings.TrimRight(caption, ".!? \n"), ".!?"); i >= 0 && strings.HasPrefix(caption[i+1:], " ") {
		l.Several++
	}
	first, rest, _ := strings.Cut(strings.ToLower(caption), " ")
	if first == "in" {
		first, rest, _ = strings.Cut(rest, " ")
	}
	second, _, _ := strings.Cut(rest, " ")
	if first == "the" || first == "this" {
		switch strings.TrimRight(second, ",") {
		case "image", "photo", "photograph", "picture", "scene":
			l.Shown++
		}
	}
}

// Captions count as a model's if half of them have at least modelWords words and the share of Several or
// Shown reaches its bound.
const (
	modelWords   = 25
	modelSeveral = 0.6
	modelShown   = 0.2
)

// LookLikeModels reports whether the captions are probably a model's: they are long, and have several
// sentences or begin with "the image".
func (l *Lengths) LookLikeModels() bool {
	n := float64(len(l.Words))
	if n == 0 || l.Words[len(l.Words)/2] < modelWords {
		return false
	}
	return float64(l.Several) >= modelSeveral*n || float64(l.Shown) >= modelShown*n
}
