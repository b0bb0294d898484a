package export

import (
	"slices"

	"capgraph/schemas"
)

// emptyPool returns the pool of an empty caption.
func emptyPool() schemas.Pool {
	return schemas.Pool{Positives: []schemas.Positive{{Kind: schemas.KindCaption}}}
}

// textsOf returns the texts of the positives of a kind. The result is never nil.
func textsOf(p *schemas.Pool, kind string) []string {
	texts := []string{}
	for _, t := range p.Positives {
		if t.Kind == kind && !slices.Contains(texts, t.Text) {
			texts = append(texts, t.Text)
		}
	}
	return texts
}

// c2lipMembers returns the files of a sample for C2LIP's loader: the caption and its noun phrases.
func c2lipMembers(_ Options, r *Row) ([]Member, string, error) {
	texts, err := plainJSON(struct {
		Caption     string   `json:"shortLLA_captions"`
		NounPhrases []string `json:"nounphrases"`
	}{r.Text, textsOf(&r.Pool, schemas.KindObject)})
	return []Member{{"json", texts}, {"txt", []byte(r.Text)}}, "", err
}

// flairMembers returns the files of a sample for FLAIR, COSMOS and DreamLIP: lists of captions under the
// seven names that they read. FLAIR draws from all lists together.
func flairMembers(_ Options, r *Row) ([]Member, string, error) {
	texts, err := plainJSON(struct {
		Raw     []string `json:"raw_caption"`
		ShortIB []string `json:"shortIB_captions"`
		LongIB  []string `json:"longIB_captions"`
		ShortSV []string `json:"shortSV_captions"`
		LongSV  []string `json:"longSV_captions"`
		ShortLL []string `json:"shortLLA_captions"`
		LongLL  []string `json:"longLLA_captions"`
	}{
		[]string{r.Text}, []string{}, []string{}, textsOf(&r.Pool, schemas.KindObject), textsOf(&r.Pool, schemas.KindRelation),
		[]string{}, textsOf(&r.Pool, schemas.KindParaphrase),
	})
	return []Member{{"json", texts}, {"txt", []byte(r.Text)}}, "", err
}

// noCaptionNegative is the reason for leaving out rows without a negative of the caption.
const noCaptionNegative = "no negative of the caption"

// tripletMembers returns the files of a sample: the caption and its first negative.
func tripletMembers(_ Options, r *Row) ([]Member, string, error) {
	i := slices.IndexFunc(r.Negatives, func(n schemas.HardNegative) bool { return n.Of == 0 })
	if i < 0 {
		return nil, noCaptionNegative, nil
	}
	return []Member{{"caption", []byte(r.Text)}, {"neg_caption", []byte(r.Negatives[i].Text)}}, "", nil
}
