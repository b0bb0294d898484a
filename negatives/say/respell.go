package say

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/internal/lexicon"
	"capgraph/negatives/grammar"
	"capgraph/scenegraph"
)

// Respell edits a caption so that it states what a negative does. said is the phrase of the caption's own statement.
// Only the words in which negative differs from said change, with the articles before them; the spelling of all else is
// kept. It fails if the caption does not have the words of said, or if the change is in more than one place: "sitting
// in the middle" and "in the corner" have "in" in common.
type Respell struct {
	caption, said, negative []content
	edits                   []edit
	titled                  bool
}

// MaxArticleDistance is the most words between an article and the change that affects it: the attributes of its noun.
const MaxArticleDistance = 6

// content is a word of a text that is not an article: its bytes, its normalized form, and the article before it, or "".
type content struct {
	begin, end int
	text       string
	article    string
	// from is the byte at which its article begins, or the word if it has none.
	from int
}

// edit replaces bytes of a caption by a text.
type edit struct {
	begin, end int
	text       string
}

// Apply appends the caption, edited to state what negative does. It returns false if that fails (see Respell).
func (r *Respell) Apply(dst []byte, caption, said, negative string, titled bool) ([]byte, bool) {
	r.caption, r.said, r.negative = appendContents(r.caption[:0], caption), appendContents(r.said[:0], said), appendContents(r.negative[:0], negative)
	r.edits, r.titled = r.edits[:0], titled
	if !slices.EqualFunc(r.caption, r.said, sameWord) {
		return dst, false
	}
	first, end, other := r.differingWords()
	if first == end {
		return dst, false
	}
	n := end - first
	if n != other-first && n > 1 && other-first > 1 && r.haveBoth(first, end, other) {
		return dst, false
	}
	for i := range first {
		r.articleAt(caption, negative, i, i, false)
	}
	if len(r.edits) > 0 && len(strings.Fields(caption[r.edits[0].end:r.caption[first].begin])) > MaxArticleDistance {
		return dst, false // "A KEEP CALM AND …": the article is not that of a title's last word
	}
	if n > 1 && n == other-first { // word by word, so that common words between them keep their spelling
		for i := first; i < end; {
			j := i
			for j < end && !sameWord(r.said[j], r.negative[j]) {
				j++
			}
			if j == i {
				r.articleAt(caption, negative, i, i, false)
				i++
				continue
			}
			r.replace(caption, negative, i, j, i, j)
			i = j
		}
	} else {
		r.replace(caption, negative, first, end, first, other)
	}
	for i := end; i < len(r.said); i++ {
		r.articleAt(caption, negative, i, i-end+other, false)
	}
	at := 0
	for _, e := range r.edits {
		dst = append(append(dst, caption[at:e.begin]...), e.text...)
		at = e.end
	}
	return append(dst, caption[at:]...), true
}

func sameWord(a, b content) bool { return a.text == b.text }

// haveBoth reports whether words first to end of the phrase and words first to other of the negative have a word in
// common.
func (r *Respell) haveBoth(first, end, other int) bool {
	return slices.ContainsFunc(r.said[first:end], func(c content) bool {
		return slices.ContainsFunc(r.negative[first:other], func(d content) bool { return sameWord(c, d) })
	})
}

// differingWords returns the range first to end of words of the phrase that differ from the words first to other of the
// negative. Both ranges have at least one word.
func (r *Respell) differingWords() (first, end, other int) {
	for first < len(r.said) && first < len(r.negative) && sameWord(r.said[first], r.negative[first]) {
		first++
	}
	end, other = len(r.said), len(r.negative)
	for end > first && other > first && sameWord(r.said[end-1], r.negative[other-1]) {
		end--
		other--
	}
	switch {
	case end > first && other > first || end == other:
	case first > 0:
		first--
	case end < len(r.said) && other < len(r.negative):
		end++
		other++
	}
	return first, end, other
}

// replace replaces words k to kEnd of the caption with words m to mEnd of the negative.
func (r *Respell) replace(caption, negative string, k, kEnd, m, mEnd int) {
	text := negative[r.negative[m].begin:r.negative[mEnd-1].end]
	leads := r.articleAt(caption, negative, k, m, true)
	model := caption[r.caption[k].begin:r.caption[k].end]
	if k == 0 && leads {
		model = caption[r.caption[k].from:r.caption[k].end]
	}
	switch {
	case r.titled && IsCapital(model):
		text = string(AppendTitled(nil, text, model))
	case k == 0 && leads:
		text = string(AppendInCase(nil, text, model))
	}
	r.edits = append(r.edits, edit{r.caption[k].begin, r.caption[kEnd-1].end, text})
}

// articleAt changes the article before word k of the caption to that before word m of the negative, if said and
// negative differ in it. Else the caption's own article stays, as "a" or "an". It reports whether the word then has no
// article.
func (r *Respell) articleAt(caption, negative string, k, m int, changed bool) (leads bool) {
	c, said, other := &r.caption[k], normalArticle(r.said[k].article), normalArticle(r.negative[m].article)
	is := strings.ToLower(c.article)
	want := is
	if said != other && normalArticle(is) == said && (changed || said == "" || other == "") {
		want = other
	}
	if (want == "a" || want == "an") && (want != is || changed) {
		next := caption[c.begin:]
		if changed {
			next = negative[r.negative[m].begin:]
		}
		next, _ = grammar.Cut(next)
		want = lexicon.Article(next)
	}
	switch {
	case want == is:
	case want == "":
		r.edits = append(r.edits, edit{c.from, c.begin, ""})
		if !changed && k == 0 {
			r.edits = append(r.edits, edit{c.begin, c.end, string(AppendInCase(nil, caption[c.begin:c.end], c.article))})
		}
	case is == "":
		word := caption[c.begin:c.end]
		if k > 0 && !r.titled {
			word = ""
		}
		r.edits = append(r.edits, edit{c.begin, c.begin, string(AppendInCase(nil, want, word)) + " "})
	default:
		r.edits = append(r.edits, edit{c.from, c.from + len(c.article), string(AppendInCase(nil, want, c.article))})
	}
	return want == ""
}

// normalArticle returns an article in lower case, "a" for "an".
func normalArticle(article string) string {
	if strings.EqualFold(article, "an") {
		return "a"
	}
	return strings.ToLower(article)
}

// appendContents appends the words of a text except articles.
func appendContents(dst []content, text string) []content {
	article, from := "", 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !partOfWord(r) {
			i += size
			continue
		}
		begin, end := i, i
		for i < len(text) {
			r, size = utf8.DecodeRuneInString(text[i:])
			if r != '\'' && r != '’' && !partOfWord(r) {
				break
			}
			if i += size; partOfWord(r) {
				end = i
			}
		}
		switch word := text[begin:end]; strings.ToLower(word) {
		case "a", "an", "the":
			article, from = word, begin
		default:
			c := content{begin, end, scenegraph.NormalizeText(word), article, begin}
			if article != "" {
				c.from = from
			}
			dst, article = append(dst, c), ""
		}
	}
	return dst
}

// partOfWord reports whether a word may have r, as in scenegraph.NormalizeText.
func partOfWord(r rune) bool {
	return r != utf8.RuneError && unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S)
}
