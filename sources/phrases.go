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

// hasMarkedPhrases reports whether the phrases are marked in the caption: one column has both roles.
func (o Options) hasMarkedPhrases() bool {
	captions := o.Columns[Caption]
	if len(captions) == 0 {
		captions = []string{Caption}
	}
	return len(o.Columns[Phrases]) > 0 && slices.Contains(captions, o.Columns[Phrases][0])
}

// phrasesColumn returns the column of the phrases; "" if there is none or they are marked in the caption.
func (o Options) phrasesColumn() string {
	if o.hasMarkedPhrases() {
		return ""
	}
	return o.columnOf(Phrases, "")
}

// setPhrases sets the phrases of the row to those in a cell. If it is null, the row gets none, and the parser finds
// the objects. The cell may have a list, which Python or JSON wrote as text.
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

// unmarkCaption removes Flickr30k Entities' marks from the caption and keeps the marked text as the phrases.
// A caption without marks gets no phrases.
func (row *Row) unmarkCaption() {
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

// findMarks gives the caption column the role of phrases too if its captions have marks. In a text file of
// Flickr30k Entities beside an image, each line is a caption.
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
