package verify

import (
	"maps"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/schemas"
)

// checkRejects compares the number of rejects for each reason with the entry.
func (c *check) checkRejects() error {
	for _, pass := range folder.RowPasses() {
		err := c.forEachShard(pass, func(c *check, s folder.Shard, e *folder.Entry) error {
			c.compareReasons(e, folder.RejectsFile(pass, s.Name))
			return c.ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *check) compareReasons(e *folder.Entry, file string) {
	found := map[string]int64{}
	err := c.readColumns(file, []string{schemas.ColReason}, func(rec arrow.Record) error {
		reasons, err := schemas.Column[*array.String](rec, schemas.ColReason)
		if err != nil {
			return err
		}
		for i := range reasons.Len() {
			found[strings.Clone(reasons.Value(i))]++
		}
		return nil
	})
	if err != nil { // the checks hashes and schema report it
		return
	}
	for reason, n := range e.Rejects {
		found[reason] -= n
	}
	for _, reason := range slices.Sorted(maps.Keys(found)) {
		if n := found[reason]; n != 0 {
			c.addProblem(c.folder.Path(file), c.rebuildHint(e.Pass, e.Shard), "it has %d %s rejected as %s, and its entry says %d", n+e.Rejects[reason], text.Plural(n+e.Rejects[reason], "row", "rows"), reason, e.Rejects[reason])
		}
	}
}
