package tokens

import (
	"sync/atomic"
	"unsafe"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/internal/linear"
)

// Places are words that say where one of several is, after "on the" or "in the", and where something is, before "of".
const Places = " back background center centre closest end far foreground front left middle nearest rear right side top bottom "

// IsOneOf reports whether t, in lower case, is a word of a class (see package wordclass).
func (t *Token) IsOneOf(class string) bool {
	if t.Hash != 0 { // which the lexicon sets
		if f := filterOf(class); f != nil && !f.mayHave(t.Hash) {
			return false
		}
	}
	return wordclass.Has(class, t.Low)
}

// classFilter tells most words that are not of a class from their hashes, since few tokens are of
// the class that is asked for. It is a Bloom filter with one bit a word.
type classFilter struct {
	class string
	bits  [filterBits / 64]uint64
}

const (
	filterBits  = 1 << 12
	filterSlots = 1 << 12 // of the table of filters, several times as many as there are classes
	filterTries = 4
)

var filters [filterSlots]atomic.Pointer[classFilter]

// filterOf returns the filter of a class, made when it is first asked for. It is nil if the slots
// are taken by others.
func filterOf(class string) *classFilter {
	at := uintptr(unsafe.Pointer(unsafe.StringData(class)))
	at = at ^ at>>12 ^ uintptr(len(class))<<4
	for k := range uintptr(filterTries) {
		slot := &filters[(at+k)%filterSlots]
		f := slot.Load()
		if f == nil {
			f = newClassFilter(class)
			slot.CompareAndSwap(nil, f)
			return f
		}
		if f.class == class { // at one address, so that no bytes are compared
			return f
		}
	}
	return nil
}

func newClassFilter(class string) *classFilter {
	f := &classFilter{class: class}
	begin := -1
	for i := 0; i <= len(class); i++ {
		switch isWord := i < len(class) && class[i] != ' ' && class[i] != '\n'; {
		case isWord && begin < 0:
			begin = i
		case !isWord && begin >= 0:
			h := linear.Hash(class[begin:i]) % filterBits
			f.bits[h/64] |= 1 << (h % 64)
			begin = -1
		}
	}
	return f
}

func (f *classFilter) mayHave(hash uint32) bool {
	h := hash % filterBits
	return f.bits[h/64]&(1<<(h%64)) != 0
}
