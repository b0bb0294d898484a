package verify

import (
	"capgraph/folder"
	"capgraph/internal/text"
)

// checkTextsPlans checks that each shard of texts/ was made by the current plan and vocabulary, or by an earlier generation's. It adds a note if there are shards of earlier generations.
func (c *check) checkTextsPlans(plan string) error {
	kept, err := c.state.EarlierGenerations()
	if err != nil {
		c.reportUnreadable("what texts of before files joined were made with", redoHint(folder.PassTexts), err)
		return nil
	}
	// The SHA-256 of the vocabulary for each plan of texts; "" if the entry of pass count is missing.
	vocabulary := map[string]string{plan: ""}
	if e := c.entries[folder.PassCount][folder.Whole]; e != nil {
		vocabulary[plan] = e.SHA256(folder.ReducedFile(folder.Vocabulary))
	}
	for _, of := range kept {
		if hash := of.Texts.Hash(); hash != plan {
			vocabulary[hash] = of.VocabularySHA256()
		}
		c.checkKeptFiles(of)
	}
	earlier := 0
	for shard, e := range sortedByShard(c.entries[folder.PassTexts]) {
		where := c.folder.Path(folder.EntryFile(folder.PassTexts, shard))
		want, known := vocabulary[e.Plan]
		switch {
		case !known:
			c.addProblem(where, c.rebuildHint(folder.PassTexts, shard), "it was made by the plan %s and the folder's is %s", e.Plan, plan)
		case e.Vocabulary != "" && e.Vocabulary != want && (want != "" || e.Plan != plan):
			c.addProblem(where, c.rebuildHint(folder.PassTexts, shard), "it was made with the vocabulary %.12s…, and that of its plan is %.12s…", e.Vocabulary, want)
		case e.Plan != plan:
			earlier++
		}
	}
	if earlier > 0 {
		all := len(c.entries[folder.PassTexts])
		c.addNote(c.folder.Path(folder.PassTexts.Output()), "leave them, or make all texts anew with --redo texts",
			"%d of %d %s made before files joined, with the vocabulary and the balance that the folder had then", earlier, all, text.Plural(all, "shard was", "shards were"))
	}
	return nil
}

// checkKeptFiles reports files of an earlier generation that changed since they were kept.
func (c *check) checkKeptFiles(of folder.Generation) {
	for _, want := range of.Files {
		if got, err := c.folder.HashFile(want.Name); err != nil {
			c.reportUnreadable(c.folder.Path(want.Name), redoHint(folder.PassTexts), err)
		} else if got != want {
			c.addProblem(c.folder.Path(want.Name), redoHint(folder.PassTexts), "its SHA-256 is %.12s… and was %.12s…", got.SHA256, want.SHA256)
		}
	}
}
