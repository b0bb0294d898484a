package tokens

import (
	"sync/atomic"
	"unsafe"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/internal/linear"
)

// Places are words for a place among several, as in "on the left", or beside something, as in "in front of".
const Places = " back background center centre closest end far foreground front left middle nearest rear right side top bottom "

// IsOneOf reports whether t, in lower case, is in a word class (see package wordclass).
func (t *Token) IsOneOf(class string) bool {
	if t.Hash != 0 { // set by the lexicon
		if f := filterOf(class); f != nil && !f.mayHave(t.Hash) {
			return false
		}
	}
	return wordclass.Has(class, t.Low)
}

// classFilter excludes most words that are not in a word class by their hashes, since few tokens are in a class. It is
// a Bloom filter with one bit per word.
type classFilter struct {
	class string
	bits  [filterBits / 64]uint64
}

const (
	filterBits  = 1 << 12
	filterSlots = 1 << 12 // size of the table of filters, several times the number of classes
	filterTries = 4
)

var filters [filterSlots]atomic.Pointer[classFilter]

// filterOf returns the filter of a class, which it makes at the first call. It returns nil if the class's slots in the
// table hold other classes.
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
		if f.class == class { // fast: the two strings mostly share their bytes, and == compares no bytes then
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
