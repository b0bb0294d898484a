package say

// AppendNo says that there is no such thing.
func AppendNo(dst []byte, p *Phrase) []byte {
	p.Subject.Quantity = "no"
	if p.Template != nil {
		p.Template = &template{lead: true}
	}
	return AppendPhrase(dst, p)
}

// AppendNot says that a thing is not in its relation.
func AppendNot(dst []byte, p *Phrase) []byte {
	dst = AppendNounPhrase(dst, &p.Subject, false)
	dst = append(append(append(dst, p.Subject.who()...), is(p.Subject.isPlural())...), " not "...)
	dst = append(append(dst, p.Relation.Key...), ' ')
	return AppendNounPhrase(dst, &p.Object, false)
}
