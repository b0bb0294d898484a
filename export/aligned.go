package export

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/schemas"
)

// readGraphRows yields the rows of graphs/ of a complete run, in order. A row is valid until the next one.
func readGraphRows(o Options) iter.Seq2[*inspect.GraphRow, error] {
	return func(yield func(*inspect.GraphRow, error) bool) {
		shards, err := ListShards(o.Store, o.Dir)
		if err != nil {
			yield(nil, err)
			return
		}
		run := folder.Folder{Store: o.Store, Dir: o.Dir}
		for _, shard := range shards {
			for row, err := range inspect.ReadGraphs(run, shardName(shard), 0) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// writeGraphRows writes format's line for each row of graphs/. Rows for which format returns a reason are
// left out.
func writeGraphRows(ctx context.Context, o Options, format func(*inspect.GraphRow) (line []byte, reason string, err error)) (s Summary, err error) {
	return s, writeFile(o, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 64<<10)
		for r, err := range readGraphRows(o) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			s.Rows++
			line, reason, err := format(r)
			if err != nil {
				return err
			}
			if reason != "" {
				s.leaveOut(reason)
				continue
			}
			s.Written++
			out.Write(line)
			out.WriteByte('\n')
		}
		return out.Flush()
	})
}

// writePhrases writes lines of an image, a tab, and its caption with object phrases marked as in Flickr30k Entities
// (Plummer et al. 2015): [/EN#1/other Two men]. Adjacent captions of one image share a numbering, so each of its
// objects has a number of its own. Objects that are denied or hypothetical have the number 0, which in that data set
// means that the image does not show them.
func writePhrases(ctx context.Context, o Options) (Summary, error) {
	image, number := "", 0
	return writeGraphRows(ctx, o, func(r *inspect.GraphRow) ([]byte, string, error) {
		if r.ImageKey != image {
			image, number = strings.Clone(r.ImageKey), 0
		}
		if strings.ContainsAny(r.Text, "[]") {
			return nil, "a bracket in the caption, which marks have too", nil
		}
		line := []byte(cmp.Or(r.Image, r.ImageKey) + "\t")
		if strings.ContainsAny(string(line[:len(line)-1]), "\t\n\r") {
			return nil, "a tab or line end in the name of the image", nil
		}
		at := int32(0)
		for _, p := range phrasesOf(r.Text, &r.Graph) {
			line = append(line, r.Text[at:p.begin]...)
			if p.isSeen {
				number++
				line = fmt.Appendf(line, "[/EN#%d/other %s]", number, r.Text[p.begin:p.end])
			} else {
				line = fmt.Appendf(line, "[/EN#0/notvisual %s]", r.Text[p.begin:p.end])
			}
			at = p.end
		}
		return append(line, r.Text[at:]...), "", nil
	})
}

// phrase is the place of an object's noun phrase: its name with the determiners and attributes before it.
type phrase struct {
	begin, end int32
	isSeen     bool // neither denied nor hypothetical
}

// phrasesOf returns the phrases of the objects that the text names, in the order of the text and without
// overlaps.
func phrasesOf(text string, g *schemas.SceneGraph) []phrase {
	var all []phrase
	for i := range g.Objects {
		if o := &g.Objects[i]; o.Begin >= 0 && o.Begin < o.End {
			all = append(all, phrase{phraseStart(text, o), o.End, o.Status != schemas.Denied && o.Status != schemas.Hypothetical})
		}
	}
	slices.SortFunc(all, func(a, b phrase) int { return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.begin, b.begin)) })
	apart := all[:0]
	for _, p := range all {
		if n := len(apart); n > 0 && p.begin < apart[n-1].end {
			if p.begin = apart[n-1].end; p.begin >= p.end {
				continue // within the last
			}
			p.begin += int32(len(text[p.begin:p.end]) - len(strings.TrimLeft(text[p.begin:p.end], " ,")))
		}
		apart = append(apart, p)
	}
	return apart
}

// phraseStarts are determiners that can begin a noun phrase.
var phraseStarts = strings.Fields("a an the this that these those his her its their my your our some any no each every both all another other")

// phraseStart returns the offset at which an object's phrase begins. The phrase includes determiners and the
// object's attributes and quantity right before its name.
func phraseStart(text string, o *schemas.Object) int32 {
	start := o.Begin
	for {
		before := strings.TrimRight(text[:start], " ,")
		at := int32(strings.LastIndexByte(before, ' ') + 1)
		word := strings.ToLower(before[at:])
		isOf := slices.Contains(phraseStarts, word) || word != "" && slices.Contains(strings.Fields(o.Quantity), word)
		for i := range o.Attributes {
			a := &o.Attributes[i]
			isOf = isOf || a.Begin >= 0 && a.Begin <= at && at < a.End && a.End <= o.Begin
		}
		if !isOf || len(before) == 0 || strings.Contains(text[len(before):start], ",") && slices.Contains(phraseStarts, word) {
			return start
		}
		start = at
	}
}

// span is some words and their place in a caption, in characters. The place is null if the words are not in
// the caption.
type span struct {
	Text  string `json:"text"`
	Start *int   `json:"start"`
	End   *int   `json:"end"`
}

// triplet is a relation with the places of its subject, predicate and object.
type triplet struct {
	Subject   span `json:"subject"`
	Predicate span `json:"predicate"`
	Object    span `json:"object"`
}

// tripletRow is a caption with its objects and triplets, for weakly supervised scene-graph generation.
type tripletRow struct {
	Image    string    `json:"image"`
	Key      string    `json:"key"`
	Caption  string    `json:"caption"`
	Objects  []span    `json:"objects"`
	Triplets []triplet `json:"triplets"`
}

// writeTriplets writes a JSON line of what each caption asserts. Places count characters as Python does.
func writeTriplets(ctx context.Context, o Options) (Summary, error) {
	return writeGraphRows(ctx, o, func(r *inspect.GraphRow) ([]byte, string, error) {
		g := r.Graph.Clone()
		g.KeepAsserted()
		row := tripletRow{Image: r.Image, Key: r.Key, Caption: r.Text, Objects: []span{}, Triplets: []triplet{}}
		for i := range g.Objects {
			row.Objects = append(row.Objects, newSpan(r.Text, g.Objects[i].Name, g.Objects[i].Begin, g.Objects[i].End))
		}
		for _, e := range g.Relations {
			row.Triplets = append(row.Triplets, triplet{row.Objects[e.Subject], newSpan(r.Text, e.Predicate, e.Begin, e.End), row.Objects[e.Object]})
		}
		if len(row.Objects) == 0 {
			return nil, "no object", nil
		}
		line, err := plainJSON(row)
		return line, "", err
	})
}

// newSpan returns the span of words at the bytes [begin, end) of a text.
func newSpan(text, words string, begin, end int32) span {
	s := span{Text: words}
	if begin >= 0 && begin < end {
		from := utf8.RuneCountInString(text[:begin])
		to := from + utf8.RuneCountInString(text[begin:end])
		s.Start, s.End = &from, &to
	}
	return s
}
