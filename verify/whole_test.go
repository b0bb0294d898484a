package verify_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/testing/fakevllm"
)

// What a run writes is whole, whatever it was told.
func TestARunOfEachKindIsWhole(t *testing.T) {
	model := fakevllm.New(fakevllm.Config{Answer: answerPairs})
	defer model.Close()
	factual := filepath.Join(t.TempDir(), "factual.csv")
	if err := os.WriteFile(factual, []byte("caption,scene_graph\na Red  dog on two mats,\"( dog , is , red ) , ( dog , on , 2 mat )\"\n,( cat )\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	asking := []string{"parse.model=m", "parse.endpoints=" + model.URL, "parse.cache=" + t.TempDir()}
	for name, set := range map[string][]string{
		"dedupe":     {"dedupe=near"},
		"no balance": {"negatives.balance.enabled=false"},
		"all methods": {"negatives.replacements=uniform", "negatives.methods=[replace_attribute,replace_object,replace_relation,swap_objects,swap_attributes,combine,join," +
			"swap_noun_phrases,swap_nouns,swap_adjectives,swap_adverbs,swap_verb_phrases,fill_attribute,fill_action,fill_object]"},
		"n-grams": {"negatives.templates=plain", "negatives.replacements=ngram"},
		"coco":    {"source.format=coco", "source.paths=../testdata/coco.json"},
		"factual": {"source.format=graphs", "source.paths=" + factual},
		"graphs":  {"source.format=graphs", "source.paths=" + good(t) + "/graphs/*.parquet", "clean.max_words=9"},
		"a model": append(asking, "parse.parser=llm"),
		"hybrid":  append(asking, "parse.parser=hybrid", "parse.threshold=0.9"),
	} {
		t.Run(name, func(t *testing.T) {
			if problems := check(t, good(t, set...)); len(problems) > 0 {
				t.Errorf("%v", problems)
			}
		})
	}
}

// answerPairs names each two words of a caption, in capitals, with wide spaces,
// and says that each relates to the next.
func answerPairs(caption string) string {
	entities, relations := []string{}, []map[string]any{}
	words := strings.Fields(strings.ToUpper(caption))
	for i := 0; i+1 < len(words); i += 2 {
		entities = append(entities, words[i]+"   "+words[i+1])
		if n := len(entities); n > 1 {
			relations = append(relations, map[string]any{"subject": n - 2, "relationship": "NEAR", "object": n - 1})
		}
	}
	b, err := json.Marshal(map[string]any{"entities": entities, "relationships": relations})
	if err != nil {
		panic(err) // strings and integers
	}
	return string(b)
}
