package stages

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/store"
)

// cardName is the file that people, and Hugging Face's datasets, read first.
const cardName = "README.md"

// cardTitle identifies a card: a README.md without it was written by another tool or person.
const cardTitle = "# Scene graphs, positive and hard-negative texts of captions"

// ErrNotCard is the error of a folder whose README.md is not a card. Such a file is never changed.
var ErrNotCard = errors.New("it is not a dataset card that capgraph wrote")

// readCard reads the card of a folder. The error wraps fs.ErrNotExist if there is none.
func readCard(out folder.Folder) (string, error) {
	card, err := store.ReadFile(out.Store, out.Path(cardName), 1<<30)
	if err == nil && !strings.Contains(string(card), cardTitle) {
		err = fmt.Errorf("%s: %w", out.Path(cardName), ErrNotCard)
	}
	return string(card), err
}

// removeCard removes the card of a folder whose texts will be made again.
func removeCard(out folder.Folder) error {
	_, err := readCard(out)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNotCard) {
		return nil
	}
	if err != nil {
		return err
	}
	return out.RemoveFile(cardName)
}

// WriteCard writes the dataset card of a folder: which command made it, what it contains, and the
// configs block by which datasets.load_dataset finds texts and graphs. An existing card is kept if
// this run made no texts.
func WriteCard(out folder.Folder, version, command, licence string, texts *folder.Account, made bool) error {
	old, err := readCard(out)
	if err == nil && !made {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	state, err := out.Read()
	if err != nil {
		return err
	}
	card, err := formatCard(state, version, command, licence, texts.Out)
	if err != nil || old == card {
		return err
	}
	return out.ReplaceFile(cardName, []byte(card))
}

// formatCard returns the card of a folder with captions captions, which this version of capgraph made
// by command. licence is the captions' licence; "" if it is not known.
func formatCard(state *folder.State, version, command, licence string, captions int64) (string, error) {
	var b strings.Builder
	matter, terms := licenceLines(licence)
	terms = sourceLine(state.Index) + terms
	fmt.Fprintf(&b, cardHead, matter, terms, captions, text.Plural(captions, "caption", "captions"), command, version)
	for _, c := range cardColumns {
		fmt.Fprintf(&b, "\n## %s/\n\n%s\n\n| column | type | what |\n|---|---|---|\n", c.pass.Output(), c.about)
		for _, row := range c.rows {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", row[0], row[1], row[2])
		}
	}
	earlier, all, err := state.CountStaleTexts()
	if err != nil {
		return "", err
	}
	if earlier > 0 {
		fmt.Fprintf(&b, cardEarlier, earlier, text.Plural(earlier, "shard", "shards"), all)
	}
	b.WriteString(cardTail)
	return b.String(), nil
}

const cardHead = `---
configs:
- config_name: texts
  default: true
  data_files: texts/*.parquet
- config_name: graphs
  data_files: graphs/*.parquet
%s---

` + cardTitle + `
%s
%d %s. Made by

    %s

with capgraph %s. Bookkeeping (entries, rejects, counts) is in ` + "`.capgraph/`" + `.

    import datasets
    texts = datasets.load_dataset("THIS FOLDER", "texts", split="train")
`

const cardEarlier = `
Files joined after %d %s of the %d of texts/ had been made: what their
negatives are made of, and which are left out, is as it was for the files of before.
`

const cardTail = `
The texts are derived from the captions: the licence of the captions applies to them too.
`

var cardColumns = []struct {
	pass  folder.Pass
	about string
	rows  [][3]string
}{
	{folder.PassTexts, "One row a caption; the lists of a row are parallel: all `pos…` have one length, all `neg…` another.", [][3]string{
		{"key", "string", "which caption the row is; the same in graphs/"},
		{"image_key", "string", "which image the caption belongs to"},
		{"image", "string", "URL, path or tar member of the image"},
		{"text", "string", "the cleaned caption: what is trained on"},
		{"pos", "list<string>", "texts that are true of the image; pos[0] is text"},
		{"pos_kind", "list<string>", "caption, object, relation, paraphrase or sentence"},
		{"pos_id", "list<int64>", "hash of the normalised text: images that share one share a true text"},
		{"neg", "list<string>", "texts that are false of the image"},
		{"neg_of", "list<int16>", "which positive the negative perturbs"},
		{"neg_method", "list<string>", "how it was made"},
		{"neg_changed", "list<string>", "object, attribute, relation, action, order or join"},
		{"neg_category", "list<string>", "c_obj, c_rel, c_attr or none: MosaiCLIP's sampling class"},
		{"caption_kind", "string", "if the captions are from several columns: from which"},
		{"neg_score", "list<float>", "log-odds that it is a negative, from its words alone: above 0 more likely than not; 0 for all without balance"},
	}},
	{folder.PassParse, "One row a caption with its scene graph. Offsets are bytes into `text`; −1 where a thing is not said in it.", [][3]string{
		{"key, image_key, image", "string", "as above"},
		{"caption", "string", "as it came"},
		{"source, source_row", "string, int64", "where it came from"},
		{"text", "string", "the cleaned caption"},
		{"tokens", "list<struct>", "begin, end, tag (Penn Treebank), lemma"},
		{"graph", "struct", "objects (name, head, quantity, attributes, begin, end) and relations (subject, predicate, lemma, object, begin, end)"},
		{"parser", "string", "what made the graph"},
		{"confidence", "float", "the lower, the likelier wrong"},
		{"any other", "", "a column of the source that was carried through; may be null"},
	}},
}

// CardCheck is the result of checking a card. Wrong lists the statements of the card that the
// folder contradicts. Edited says where the card differs from what capgraph writes.
type CardCheck struct {
	Name   string
	Wrong  []string
	Edited string
}

// The statements of a card that are checked, as cardHead writes them.
var (
	cardMadeBy   = regexp.MustCompile(`(?m)^(\d+) captions?\. Made by\n\n    (.*)\n\nwith capgraph (\S+)\. `)
	cardCaptions = regexp.MustCompile(`(?m)^(\d+) captions?\. `)
	cardLicence  = regexp.MustCompile(`(?m)^The captions are under (.*), and so are the texts made of them\.$`)
	cardConfigs  = regexp.MustCompile(`(?m)^configs:\n(?:(?:- |  ).*\n)*`)
)

// CheckCard compares the card of a folder, if it has one, with the card that this version of
// capgraph would write for captions captions. The command that made the folder is read from the
// card.
func CheckCard(state *folder.State, version string, captions int64) (found CardCheck, err error) {
	found.Name = state.Folder.Path(cardName)
	card, err := readCard(state.Folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return found, nil
	case errors.Is(err, ErrNotCard):
		found.Edited = ErrNotCard.Error()
		return found, nil
	case err != nil:
		return found, err
	}
	if said := cardCaptions.FindStringSubmatch(card); said != nil && said[1] != fmt.Sprint(captions) {
		found.Wrong = append(found.Wrong, fmt.Sprintf("it says %s captions, and texts/ has %d", said[1], captions))
	}
	if configs := cardConfigs.FindString(card); configs != "" && configs != cardConfigs.FindString(cardHead) {
		found.Wrong = append(found.Wrong, "its configs are others than those by which datasets.load_dataset finds texts/ and graphs/")
	}
	command := ""
	if made := cardMadeBy.FindStringSubmatch(card); made != nil {
		if command = made[2]; made[3] != version { // other versions may write other cards
			return found, nil
		}
	}
	licence := ""
	if under := cardLicence.FindStringSubmatch(card); under != nil {
		licence = under[1]
	}
	want, err := formatCard(state, version, command, licence, captions)
	if err != nil || len(found.Wrong) > 0 {
		return found, err
	}
	is, should := strings.Split(card, "\n"), strings.Split(want, "\n")
	for i := range max(len(is), len(should)) {
		if i >= len(is) || i >= len(should) || is[i] != should[i] {
			found.Edited = fmt.Sprintf("from line %d on it is not as capgraph writes it", i+1)
			break
		}
	}
	return found, nil
}
