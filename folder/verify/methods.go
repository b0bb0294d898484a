package verify

import (
	"slices"

	"capgraph/negatives"
	"capgraph/schemas"
)

// made is what a method changes, the categories that its negatives have, and
// whether it edits the caption alone.
type made struct {
	changed    string
	categories []string
	ofCaption  bool
}

func (m made) fits(n *schemas.HardNegative) bool {
	return n.Changed == m.changed && slices.Contains(m.categories, n.Category) && (n.Of == 0 || !m.ofCaption)
}

// makes is the table of docs/negatives.md.
var makes = map[string]made{
	negatives.ReplaceAttribute.String(): {schemas.ChangedAttribute, []string{schemas.CategoryObject, schemas.CategoryAttribute}, false},
	negatives.SwapAttributes.String():   {schemas.ChangedAttribute, []string{schemas.CategoryAttribute}, false},
	negatives.SwapObjects.String():      {schemas.ChangedRelation, []string{schemas.CategoryRelation}, false},
	negatives.ReplaceObject.String():    {schemas.ChangedObject, []string{schemas.CategoryObject, schemas.CategoryRelation}, false},
	negatives.ReplaceQuantity.String():  {schemas.ChangedAttribute, []string{schemas.CategoryObject, schemas.CategoryAttribute}, false},
	negatives.AddAttribute.String():     {schemas.ChangedAttribute, []string{schemas.CategoryObject, schemas.CategoryAttribute}, false},
	negatives.AddObject.String():        {schemas.ChangedObject, []string{schemas.CategoryRelation}, false},
	negatives.AddRelation.String():      {schemas.ChangedRelation, []string{schemas.CategoryRelation}, false},
	negatives.ReplaceRelation.String():  {schemas.ChangedRelation, []string{schemas.CategoryRelation}, false},
	negatives.Combine.String():          {schemas.ChangedRelation, []string{schemas.CategoryRelation}, false},
	negatives.Join.String():             {schemas.ChangedJoin, []string{schemas.CategoryRelation}, false},
	negatives.Negate.String():           {schemas.ChangedNegation, []string{schemas.CategoryObject, schemas.CategoryRelation}, false},
	negatives.SwapNounPhrases.String():  {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	negatives.SwapNouns.String():        {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	negatives.SwapAdjectives.String():   {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	negatives.SwapAdverbs.String():      {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	negatives.SwapVerbPhrases.String():  {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	negatives.FillAttribute.String():    {schemas.ChangedAttribute, []string{schemas.CategoryNone}, true},
	negatives.FillQuantity.String():     {schemas.ChangedAttribute, []string{schemas.CategoryNone}, true},
	negatives.FillAction.String():       {schemas.ChangedAction, []string{schemas.CategoryNone}, true},
	negatives.FillObject.String():       {schemas.ChangedObject, []string{schemas.CategoryNone}, true},
}

// madeBy is what a method makes; whole negatives are captions.
func madeBy(method string) (made, bool) {
	if changed, whole := negatives.WholeMethods()[method]; whole {
		return made{changed, []string{schemas.CategoryNone}, true}, true
	}
	m, known := makes[method]
	return m, known
}
