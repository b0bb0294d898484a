package ruleparse

// place is where a token stands: in its run of words that no preposition, article,
// conjunction or mark interrupts, in its part between marks, and in a text of what kind.
// Distances stop at farthest.
type place struct {
	behind, ahead uint8  // tokens before and after it in its run
	last          int32  // the last token of its run
	opens, closes uint32 // hashes of what stands before and after its run
	part          uint8  // how many parts lie before its own
	rest          uint8  // tokens after it in its part
	title         uint8  // which share of the text's words has capitals, below 4
}

const farthest = 7

// locate tells where the tokens of ts stand.
func locate(ts []span) {
	words, capitals := 0, 0
	for i := range ts {
		if t := &ts[i]; t.kind != mark && t.kind != clitic {
			words++
			if t.capital {
				capitals++
			}
		}
	}
	title := uint8(0)
	switch {
	case capitals == 0:
	case 2*capitals < words:
		title = 1
	case 8*capitals < 7*words:
		title = 2
	default:
		title = 3
	}
	var parts uint8
	for from := 0; from < len(ts); {
		if interrupts(&ts[from]) {
			ts[from].place = place{opens: border.hash, closes: border.hash, part: parts, title: title, last: int32(from)}
			if ts[from].kind == mark && ts[from].low != "-" {
				parts = min(parts+1, farthest)
			}
			from++
			continue
		}
		to := from
		for to < len(ts) && !interrupts(&ts[to]) {
			to++
		}
		p := place{opens: border.hash, closes: border.hash, part: parts, title: title, last: int32(to - 1)}
		if from > 0 {
			p.opens = ts[from-1].hash
		}
		if to < len(ts) {
			p.closes = ts[to].hash
		}
		for i := from; i < to; i++ {
			p.behind, p.ahead = uint8(min(i-from, farthest)), uint8(min(to-1-i, farthest))
			ts[i].place = p
		}
		from = to
	}
	rest := uint8(0)
	for i := len(ts) - 1; i >= 0; i-- {
		if ts[i].kind == mark && ts[i].low != "-" {
			rest = 0
			continue
		}
		ts[i].place.rest = rest
		rest = min(rest+1, farthest)
	}
}

// interrupts reports whether t is in no run.
func interrupts(t *span) bool {
	if t.kind == mark || t.be {
		return true
	}
	switch t.tag {
	case tagIN, tagTO, tagCC, tagDT, tagPRPS, tagPRP, tagMD, tagWDT, tagWP, tagWRB, tagEX, tagPDT, tagVBZ, tagVBP, tagPOS:
		return true
	}
	return false
}
