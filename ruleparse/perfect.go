package ruleparse

// perfect is the participle whose auxiliary token i is, or -1: a form of "have" with
// a participle after it that qualifies no noun, as it does in "has striped curtains".
func perfect(ts []span, i int32) int32 {
	if !oneOf(" has have had 've ", ts[i].low) {
		return -1
	}
	verb := i + 1
	for int(verb) < len(ts) && (ts[verb].tag == tagRB || ts[verb].low == "been") {
		verb++
	}
	if int(verb) >= len(ts) || ts[verb].flags&(verbParticiple|verbIng) == 0 {
		return -1
	}
	if next := rightOf(ts, &node{to: verb + 1}); ts[verb-1].low == "been" || determines(next) || next.tag == tagIN || next.tag == tagTO {
		return verb
	}
	return -1
}
