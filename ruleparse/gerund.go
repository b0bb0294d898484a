package ruleparse

import "slices"

// unbind makes no attribute of a participle before the article of its object: "while
// bouncing a ball".
func (x *analysis) unbind(ts []span) {
	x.links = slices.DeleteFunc(x.links, func(l link) bool {
		n := &x.nodes[l.attribute]
		bound := l.object < l.attribute || ts[n.to-1].tag != tagVBG || !determines(&ts[n.to])
		if !bound {
			for i := n.from; i < n.to; i++ {
				x.inNode[i] = false
			}
		}
		return !bound
	})
}
