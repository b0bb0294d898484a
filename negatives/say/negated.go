package say

// AppendNo appends the text that there is no such thing: "there is no dog on grass".
func AppendNo(dst []byte, p *Phrase) []byte {
	p.Subject.Quantity = "no"
	if p.Template != nil {
		p.Template = &template{lead: true}
	}
	return AppendPhrase(dst, p)
}

// AppendNot appends the text that the subject is not in its relation: "a dog that is not on grass".
func AppendNot(dst []byte, p *Phrase) []byte {
	dst = AppendNounPhrase(dst, &p.Subject, false)
	dst = append(append(append(dst, p.Subject.who()...), is(p.Subject.isPlural())...), " not "...)
	dst = append(append(dst, p.Relation.Key...), ' ')
	return AppendNounPhrase(dst, &p.Object, false)
}
