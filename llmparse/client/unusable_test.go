package client

import (
	"fmt"
	"strings"
	"testing"

	"capgraph/llmparse/replies"
)

// What is shown is one of each reason first, the most frequent before the others,
// with what a server may have sent made harmless.
func TestWorstReplies(t *testing.T) {
	var u unusableReplies
	if u.describeWorst() != "" {
		t.Errorf("of nothing: %q", u.describeWorst())
	}
	u.add(replies.ErrNotAsked, "not asked", "", nil)
	u.add(replies.ErrDeclined, "long", "status 400", nil)
	for i := range 9 {
		u.add(replies.ErrNotJSON, fmt.Sprintf("caption %d", i), "\x1b[2J"+strings.Repeat("x", 1000), &replies.Key{byte(i)})
	}
	lines := strings.Split(u.describeWorst(), "\n  ")[1:]
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "not_json: \"caption 0\"") || !strings.HasPrefix(lines[1], "declined: \"long\"") ||
		!strings.HasPrefix(lines[2], "not_json: \"caption 1\"") || strings.Contains(lines[0], "\x1b") || len(lines[0]) > 300 || len(u.keys) != 9 {
		t.Errorf("%d keys, %q", len(u.keys), lines)
	}
}
