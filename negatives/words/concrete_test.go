package words

import (
	"strings"
	"testing"
)

func TestConcreteness(t *testing.T) {
	table, err := concreteness()
	if err != nil || len(table) < 15000 {
		t.Fatalf("%d nouns: %v", len(table), err)
	}
	of := func(key string) uint8 {
		c, _ := concretenessOf(key, key[strings.LastIndexByte(key, ' ')+1:])
		return c
	}
	for _, pair := range [][2]string{{"dog", "trade"}, {"plate", "heaven"}, {"woman", "census"}, {"kitchen", "moment"}, {"polka dog", "idea"}, {"sky", "style"}} {
		if a, b := of(pair[0]), of(pair[1]); a <= b {
			t.Errorf("%s %d, %s %d: want the first more", pair[0], a, pair[1], b)
		}
	}
	if c, known := concretenessOf("zzyzx", "zzyzx"); known || c != usualConcreteness {
		t.Errorf("an unknown noun: %d, %v", c, known)
	}
	if _, err := readConcreteness(strings.NewReader("dog\t68\ncat\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a line without a number: %v", err)
	}
}
