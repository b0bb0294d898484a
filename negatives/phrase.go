package negatives

// The articles of a noun phrase.
type article uint8

const (
	noArticle article = iota
	anArticle
	theArticle
)

// maxAttributes bounds the attributes of a noun phrase that are said.
const maxAttributes = 6

type attribute struct {
	is   *property
	post bool
}

// nounPhrase is an object with its attributes, ready to be said.
type nounPhrase struct {
	noun       *noun
	plural     bool
	article    article
	quantity   string
	portioned  bool
	also       *noun // that is said with it: "a dog and a cat"
	attributes [maxAttributes]attribute
	n          int
}

// phrase is a sub-graph ready to be said: a noun phrase, or two with a relation.
type phrase struct {
	subject, object nounPhrase
	relation        *relation // nil where there is one noun phrase
	template        *template
}

// template is a way of saying a sub-graph. Lead is said first, {is} in it
// inflected; be puts "is" or "are" between subject and relation; that says the
// one attribute after the noun, and at says the object first, and what is there.
type template struct {
	lead, be, that, at bool
	weight             uint64
	example            string
}

// The templates of each shape, chosen by weight; the example is of a red bus,
// and of two men riding a bus.
var (
	objectTemplates = []template{
		{weight: 7, example: "a red bus"},
		{that: true, weight: 2, example: "a bus that is red"},
		{lead: true, weight: 1, example: "there is a red bus"},
	}
	relationTemplates = []template{
		{weight: 5, example: "two men riding a red bus"},
		{be: true, weight: 4, example: "two men are riding a red bus"},
		{lead: true, weight: 1, example: "there are two men riding a red bus"},
	}
)

// hash is equal for phrases that say the same.
func (p *phrase) hash() uint64 {
	h := p.subject.hash()
	if p.relation != nil {
		h = mixed(mixed(h^p.relation.hash) ^ p.object.hash())
	}
	return h
}

// chooseTemplate takes a template by a hash.
func chooseTemplate(list []template, hash uint64) *template {
	var total uint64
	for i := range list {
		total += list[i].weight
	}
	n := hash % total
	for i := range list {
		if n < list[i].weight {
			return &list[i]
		}
		n -= list[i].weight
	}
	return &list[0]
}

// appendPhrase says p in words.
func appendPhrase(dst []byte, p *phrase) []byte {
	t := p.template
	if t == nil {
		return appendPlain(dst, p)
	}
	if t.lead {
		dst = append(dst, "there "...)
		dst = append(dst, is(p.subject.many())...)
		dst = append(dst, ' ')
	}
	if p.relation == nil {
		return appendNounPhrase(dst, &p.subject, t.that && p.subject.n == 1)
	}
	if t.at {
		dst = append(appendNounPhrase(dst, &p.object, false), " with "...)
	}
	dst = appendNounPhrase(dst, &p.subject, false)
	dst = append(dst, ' ')
	if t.be && p.relation.be && (p.relation.verb != "" || !contains(times, p.object.noun.head)) { // no "a boat is on a rainy day"
		dst = append(dst, is(p.subject.isPlural())...)
		dst = append(dst, ' ')
	}
	dst = append(dst, p.relation.key...)
	dst = append(dst, ' ')
	switch {
	case !t.at:
		return appendNounPhrase(dst, &p.object, t.that && p.object.n == 1)
	case p.object.isPlural():
		return append(dst, "them"...)
	}
	return append(dst, "it"...)
}

// appendPlain says p as MosaiCLIP's "{N1} {R} {N2}" does (§3.3).
func appendPlain(dst []byte, p *phrase) []byte {
	plain := func(n *nounPhrase) {
		if n.quantity != "" {
			dst = append(append(dst, n.quantity...), ' ')
		}
		for _, a := range n.attributes[:n.n] {
			if !a.post {
				dst = append(append(dst, a.is.text...), ' ')
			}
		}
		dst = append(dst, n.name()...)
		for _, a := range n.attributes[:n.n] {
			if a.post {
				dst = append(append(dst, ' '), a.is.text...)
			}
		}
		if n.also != nil {
			dst = append(append(dst, " and "...), n.also.key...)
		}
	}
	plain(&p.subject)
	if p.relation != nil {
		dst = append(dst, ' ')
		dst = append(dst, p.relation.key...)
		dst = append(dst, ' ')
		plain(&p.object)
	}
	return dst
}
