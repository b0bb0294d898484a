package rules

import (
	"strings"
	"testing"
)

func TestPartWeightsAreReadAsWritten(t *testing.T) {
	w, err := ReadPartWeights(ownPartWeights)
	if err != nil {
		t.Fatal(err)
	}
	if w.Write() != ownPartWeights {
		t.Errorf("confidence.tsv is not as Write writes it:\n%s", w.Write())
	}
	for k, name := range PartNames {
		for i, v := range w[k] {
			if v == 0 {
				t.Errorf("weight %d of %s is 0: confidence.tsv lacks it, or the feature is never seen", i, name)
			}
		}
	}
}

func TestDamagedPartWeightsAreRefused(t *testing.T) {
	for _, s := range []string{"", "object\tbias", "thing\tbias\t1", "object\tbias\tmany", "object\tcolour\t1", ownPartWeights + "x"} {
		if _, err := ReadPartWeights(s); err == nil || !strings.HasPrefix(err.Error(), "confidence: line ") {
			t.Errorf("%q: %v", s, err)
		}
	}
}
