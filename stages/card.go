package stages

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/store"
)

// cardName is the file that people and Hugging Face's datasets read first.
const cardName = "README.md"

// cardTitle is what tells a card from the README.md of somebody else.
const cardTitle = "# Scene graphs, positive and hard-negative texts of captions"

// ErrNotCard says that a folder has a README.md that is not a card: it is left
// as it is.
var ErrNotCard = errors.New("it is not a dataset card that capgraph wrote")

// readCard reads the card of a folder. The error wraps fs.ErrNotExist where
// there is none.
func readCard(out folder.Folder) (string, error) {
	card, err := store.ReadFile(out.Store, out.Path(cardName), 1<<30)
	if err == nil && !strings.Contains(string(card), cardTitle) {
		err = fmt.Errorf("%s: %w", out.Path(cardName), ErrNotCard)
	}
	return string(card), err
}

// removeCard removes the card of a folder whose texts are made anew.
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

// WriteCard writes the dataset card of a folder: what made it, what is in it,
// and the configs block by which datasets.load_dataset finds texts and graphs.
// A card that is there stays where the run made none of the texts.
func WriteCard(out folder.Folder, version, command string, texts *folder.Account, made bool) error {
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
	card, err := cardOf(state, version, command, texts.Out)
	if err != nil || old == card {
		return err
	}
	return out.Replace(cardName, []byte(card))
}

// cardOf is the card of a folder with texts of so many captions, which that version of capgraph
// made by that command.
func cardOf(state *folder.State, version, command string, captions int64) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, cardHead, captions, text.Plural(captions, "caption", "captions"), command, version)
	for _, c := range cardColumns {
		fmt.Fprintf(&b, "\n## %s/\n\n%s\n\n| column | type | what |\n|---|---|---|\n", c.pass.Output(), c.about)
		for _, row := range c.rows {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", row[0], row[1], row[2])
		}
	}
	earlier, all, err := state.TextsOfEarlier()
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
---

` + cardTitle + `

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
The texts are said of the captions, whose licence holds for them too.
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
		{"pos_kind", "list<string>", "caption, object, relation or paraphrase"},
		{"pos_id", "list<int64>", "hash of the normalised text: images that share one share a true text"},
		{"neg", "list<string>", "texts that are false of the image"},
		{"neg_of", "list<int16>", "which positive the negative perturbs"},
		{"neg_method", "list<string>", "how it was made"},
		{"neg_changed", "list<string>", "object, attribute, relation, action, order or join"},
		{"neg_category", "list<string>", "c_obj, c_rel, c_attr or none: MosaiCLIP's sampling class"},
		{"neg_score", "list<float>", "how recognisable it is as a negative from text alone; 0: not at all"},
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
