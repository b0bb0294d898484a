package verify

import (
	"slices"

	"capgraph/negatives/methods"
	"capgraph/negatives/whole"
	"capgraph/schemas"
)

// methodOutput describes the negatives of a method: the class of what they change, the categories
// they may have, and whether the method edits only captions.
type methodOutput struct {
	changed     string
	categories  []string
	captionOnly bool
}

// sentenceCategories are the categories of negatives of sentences.
var sentenceCategories = []string{schemas.CategoryRelation, schemas.CategoryAttribute}

// fits reports whether the method may have made negative n of a positive of that kind.
func (m methodOutput) fits(n *schemas.HardNegative, kind string) bool {
	categories := m.categories
	if m.captionOnly && kind == schemas.KindSentence {
		categories = sentenceCategories
	}
	return n.Changed == m.changed && slices.Contains(categories, n.Category) && (!m.captionOnly || kind == schemas.KindCaption || kind == schemas.KindSentence)
}

// methodOutputs maps the names of methods to the table in docs/negatives.md.
var methodOutputs = map[string]methodOutput{
	methods.ReplaceAttribute.String(): {schemas.ChangedAttribute, []string{schemas.CategoryObject, schemas.CategoryAttribute}, false},
	methods.SwapAttributes.String():   {schemas.ChangedAttribute, []string{schemas.CategoryAttribute}, false},
	methods.SwapObjects.String():      {schemas.ChangedRelation, []string{schemas.CategoryRelation}, false},
	methods.ReplaceObject.String():    {schemas.ChangedObject, []string{schemas.CategoryObject, schemas.CategoryRelation}, false},
	methods.ReplaceQuantity.String():  {schemas.ChangedAttribute, []string{schemas.CategoryObject, schemas.CategoryAttribute}, false},
	methods.AddAttribute.String():     {schemas.ChangedAttribute, []string{schemas.CategoryObject, schemas.CategoryAttribute}, false},
	methods.AddObject.String():        {schemas.ChangedObject, []string{schemas.CategoryRelation}, false},
	methods.AddRelation.String():      {schemas.ChangedRelation, []string{schemas.CategoryRelation}, false},
	methods.ReplaceRelation.String():  {schemas.ChangedRelation, []string{schemas.CategoryRelation}, false},
	methods.Combine.String():          {schemas.ChangedRelation, []string{schemas.CategoryRelation}, false},
	methods.Join.String():             {schemas.ChangedJoin, []string{schemas.CategoryRelation}, false},
	methods.Negate.String():           {schemas.ChangedNegation, []string{schemas.CategoryObject, schemas.CategoryRelation}, false},
	methods.SwapNounPhrases.String():  {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	methods.SwapNouns.String():        {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	methods.SwapAdjectives.String():   {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	methods.SwapQuantities.String():   {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	methods.SwapEnds.String():         {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	methods.SwapPartners.String():     {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	methods.SwapAdverbs.String():      {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	methods.SwapVerbPhrases.String():  {schemas.ChangedOrder, []string{schemas.CategoryNone}, true},
	methods.FillAttribute.String():    {schemas.ChangedAttribute, []string{schemas.CategoryNone}, true},
	methods.FillQuantity.String():     {schemas.ChangedAttribute, []string{schemas.CategoryNone}, true},
	methods.FillRelation.String():     {schemas.ChangedRelation, []string{schemas.CategoryNone}, true},
	methods.FillAction.String():       {schemas.ChangedAction, []string{schemas.CategoryNone}, true},
	methods.FillObject.String():       {schemas.ChangedObject, []string{schemas.CategoryNone}, true},
	methods.ReverseDirection.String(): {schemas.ChangedRelation, []string{schemas.CategoryNone, schemas.CategoryRelation}, false},
}

// outputOfMethod returns the output of a method by its name; false if there is no such method.
// Whole negatives are always made from captions.
func outputOfMethod(method string) (methodOutput, bool) {
	if changed, ok := whole.Methods()[method]; ok {
		return methodOutput{changed, []string{schemas.CategoryNone}, true}, true
	}
	m, known := methodOutputs[method]
	return m, known
}
