package verify

import (
	"capgraph"
	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/stages"
)

// checkCard checks the declarations in the dataset card once all texts are made. An edited card is
// only a note.
func (c *check) checkCard() error {
	if !c.state.IsComplete(folder.PassTexts) || len(c.unreachable[folder.PassTexts]) > 0 {
		return nil
	}
	captions := int64(0)
	for _, e := range c.entries[folder.PassTexts] {
		captions += e.RowsOut
	}
	found, err := stages.CheckCard(c.state, capgraph.Version, captions)
	remedy := "remove " + text.Quote(found.Name) + " and run again"
	if err != nil {
		c.reportUnreadable(found.Name, remedy, err)
		return nil
	}
	for _, what := range found.Wrong {
		c.addProblem(found.Name, remedy, "%s", what)
	}
	if found.Edited != "" {
		c.addNote(found.Name, "leave it if you edited it; for a new one, "+remedy, "%s", found.Edited)
	}
	return nil
}
