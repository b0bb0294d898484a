package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// pattern is a regular expression in the syntax of Hugging Face's tokenizers that matches the words
// that nextWord finds.
const pattern = `<[sſ]tart_of_text>|<end_of_text>|'[sſ]|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}\x{345}]+`

// object and list are JSON objects and arrays.
type (
	object = map[string]any
	list   = []any
)

// encodeFile returns l as a tokenizer.json of Hugging Face. It adds the marks around a text; a mark
// that is spelled out in a text is plain text.
func (l *Learned) encodeFile() ([]byte, error) {
	names := pieceNames(l.merges)
	merges := make([]string, len(l.merges))
	for i, m := range l.merges {
		merges[i] = names[m[0]] + " " + names[m[1]]
	}
	ids := map[string]int{startMark: int(l.Start()), endMark: int(l.End())}
	for i, name := range names {
		ids[name] = i
	}
	bytes := object{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false}
	mark := func(name string) object { return object{"SpecialToken": object{"id": name, "type_id": 0}} }
	text := func(name string) object { return object{"Sequence": object{"id": name, "type_id": 0}} }
	special := func(name string) object {
		return object{"id": name, "ids": list{ids[name]}, "tokens": list{name}}
	}
	data, err := json.MarshalIndent(object{
		"version":      "1.0",
		"truncation":   object{"direction": "Right", "max_length": l.context, "strategy": "LongestFirst", "stride": 0},
		"padding":      nil,
		"added_tokens": list{},
		"normalizer": object{"type": "Sequence", "normalizers": list{
			object{"type": "NFC"}, object{"type": "Lowercase"},
		}},
		"pre_tokenizer": object{"type": "Sequence", "pretokenizers": list{
			object{"type": "Split", "pattern": object{"Regex": pattern}, "behavior": "Removed", "invert": true}, bytes,
		}},
		"post_processor": object{
			"type":           "TemplateProcessing",
			"single":         list{mark(startMark), text("A"), mark(endMark)},
			"pair":           list{mark(startMark), text("A"), mark(endMark), mark(startMark), text("B"), mark(endMark)},
			"special_tokens": object{startMark: special(startMark), endMark: special(endMark)},
		},
		// Ġ is the character of the space among byteNames.
		"decoder": object{"type": "Sequence", "decoders": list{
			object{"type": "Replace", "pattern": object{"String": wordEnd}, "content": "Ġ"}, bytes,
		}},
		"model": object{
			"type": "BPE", "dropout": nil, "unk_token": nil, "continuing_subword_prefix": nil, "end_of_word_suffix": wordEnd,
			"fuse_unk": false, "byte_fallback": false, "ignore_merges": false, "vocab": ids, "merges": merges,
		},
	}, "", " ")
	return append(data, '\n'), err
}

// decodeFile reads the merges and the context of a file that encodeFile wrote. It is an error if
// anything else differs from what encodeFile writes, because the ids could differ.
func decodeFile(data []byte) (*Learned, error) {
	var file struct {
		Truncation struct {
			Context int `json:"max_length"`
		} `json:"truncation"`
		Model struct {
			Merges []string `json:"merges"`
		} `json:"model"`
	}
	const remedy = "take the tokenizer.json that capgraph saved beside the checkpoint"
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%w (%s)", err, remedy)
	}
	if n := len(file.Model.Merges); n > maxSize-alphabet-marks {
		return nil, fmt.Errorf("%d merges are more than the %d of a tokenizer of %d ids", n, maxSize-alphabet-marks, maxSize)
	}
	merges, err := parseMerges(file.Model.Merges)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, remedy)
	}
	l, err := newLearned(merges).WithContext(file.Truncation.Context)
	if err != nil {
		return nil, err
	}
	again, err := l.encodeFile()
	if err != nil {
		return nil, err
	}
	var got, want any
	if err := errors.Join(json.Unmarshal(data, &got), json.Unmarshal(again, &want)); err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(got, want) {
		return nil, fmt.Errorf("it is a tokenizer of another kind, or was changed (%s)", remedy)
	}
	return l, nil
}
