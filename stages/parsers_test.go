package stages

import (
	"strings"
	"testing"

	"capgraph/folder"
	"capgraph/llmparse/client"
)

func TestParserNames(t *testing.T) {
	for _, c := range []struct {
		stats map[string]int64
		rows  int64
		want  string
	}{
		{map[string]int64{"objects": 5}, 10, ""},
		{map[string]int64{byModel: 10}, 10, "graphs: 100.0 % the model's"},
		{map[string]int64{byModel: 0, fallbackPrefix + "not_json": 1, fallbackPrefix + "declined": 2}, 3,
			"graphs: 0.0 % the model's, 100.0 % the rule parser's for want of a usable reply (2 declined, 1 not_json)"},
		{map[string]int64{byModel: 4, byRules: 3, fallbackPrefix + "not_asked": 1}, 10,
			"graphs: 40.0 % the model's, 30.0 % the rule parser's, which was sure of them, 20.0 % the source's, 10.0 % the rule parser's for want of a usable reply (1 not_asked)"},
	} {
		if got := formatParserShares(c.stats, c.rows); got != c.want {
			t.Errorf("%v of %d: %q, want %q", c.stats, c.rows, got, c.want)
		}
	}
}

// A shard is judged by itself from 50 replies on, the whole whatever it has; what
// nobody was asked for is no reply, and a run that asks no model has none.
func TestShareOfUselessReplies(t *testing.T) {
	o := client.Defaults()
	for _, c := range []struct {
		name, shard    string
		stats, rejects map[string]int64
		want           string
	}{
		{"no model", folder.Whole, map[string]int64{fallbackPrefix + "not_json": 9}, nil, ""},
		{"nothing asked", folder.Whole, map[string]int64{byModel: 0, byRules: 100}, nil, ""},
		{"half", folder.Whole, map[string]int64{byModel: 25, fallbackPrefix + "not_json": 25}, nil, ""},
		{"more than half", "s", map[string]int64{byModel: 25, fallbackPrefix + "not_json": 26}, nil, "26 of 51 replies are of no use (26 not_json)"},
		{"a small shard", "s", map[string]int64{byModel: 0, fallbackPrefix + "not_json": 49}, nil, ""},
		{"a small folder", folder.Whole, map[string]int64{byModel: 0, fallbackPrefix + "unanswered": 1}, nil, "1 of 1 replies are of no use (1 unanswered)"},
		{"not asked", folder.Whole, map[string]int64{byModel: 0, fallbackPrefix + "not_asked": 60}, map[string]int64{"llm_not_asked": 60}, ""},
		{"rejected", "s", map[string]int64{byModel: 9, fallbackPrefix + "refused": 1}, map[string]int64{"llm_refused": 30, "llm_truncated": 20, "too_short": 99}, "51 of 60 replies are of no use (31 refused, 20 truncated)"},
	} {
		got := ""
		if err := (&parsers{}).checkReplies(c.shard, c.stats, c.rejects, &o); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
