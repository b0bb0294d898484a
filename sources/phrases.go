package sources

import (
	"maps"
	"slices"
	"strings"

	"capgraph/internal/phrases"
)

// HasPhrases reports whether rows may have Phrases.
func (o Options) HasPhrases() bool {
	f, err := o.formatByName()
	return len(o.Columns[Phrases]) > 0 || err == nil && f.hasPhrases
}

// areMarked reports whether the phrases are marked in the caption: one column plays both roles.
func (o Options) areMarked() bool {
	captions := o.Columns[Caption]
	if len(captions) == 0 {
		captions = []string{Caption}
	}
	return len(o.Columns[Phrases]) > 0 && slices.Contains(captions, o.Columns[Phrases][0])
}

// phrasesColumn returns the column of the phrases, "" if they are marked in the caption or there are none.
func (o Options) phrasesColumn() string {
	if o.areMarked() {
		return ""
	}
	return o.columnOf(Phrases, "")
}

// setPhrases sets the phrases to those in a cell. A row whose cell is null has none, so that its objects are found by
// the parser. A list may be in a text, as Python or JSON writes it.
func (row *Row) setPhrases(c cell) {
	if c.Null {
		return
	}
	row.Phrases, row.HasPhrases = c.Text, true
	if phrases.AreMarked(c.Text) {
		return
	}
	if v := literalValue(c.Text); v != nil {
		row.Phrases = string(v)
	}
}

// unmark takes the marks of Flickr30k Entities out of the caption. A caption without marks has no phrases.
func (row *Row) unmark() {
	if !phrases.AreMarked(row.Caption) {
		return
	}
	caption, _, err := phrases.Unmark(row.Caption)
	if err != nil {
		row.reject(RejectMalformedPhrases, "the caption: %v", err)
		return
	}
	row.Caption, row.Phrases, row.HasPhrases = caption, row.Caption, true
}

// findMarks takes the column of the captions for the column of their phrases too, if they are marked in it. A
// text of Flickr30k Entities beside an image has a caption a line.
func (t *formatTrial) findMarks(f Format) {
	if len(t.Roles) == 0 || len(t.Roles[0].Columns) != 1 || !phrases.AreMarked(t.Caption) {
		return
	}
	first, _, several := strings.Cut(strings.TrimSpace(t.Caption), "\n")
	caption, _, err := phrases.Unmark(first)
	if err != nil {
		return
	}
	t.Caption = caption
	if several && f.isSample {
		t.Options.Lines = LinesEach
	}
	captions := t.Roles[0].Columns
	t.Options.Columns = maps.Clone(t.Options.Columns)
	if t.Options.Columns == nil {
		t.Options.Columns = map[string][]string{}
	}
	t.Options.Columns[Caption], t.Options.Columns[Phrases] = captions, captions
	t.Roles = append(t.Roles, FoundRole{Phrases, captions, true})
}
