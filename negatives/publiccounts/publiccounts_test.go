package publiccounts

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"iter"
	"strings"
	"testing"

	"capgraph/schemas"
)

func collect(t *testing.T, rows iter.Seq2[schemas.Count, error]) []schemas.Count {
	t.Helper()
	var all []schemas.Count
	for row, err := range rows {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}

func TestTheEmbeddedFileIsWhatWriteWrites(t *testing.T) {
	var again bytes.Buffer
	if err := Write(&again, Vocabulary(), Balance()); err != nil {
		t.Fatal(err)
	}
	if again.String() != embedded || len(embedded) > 4<<20 {
		t.Errorf("%d bytes, written again %d", len(embedded), again.Len())
	}
	words := collect(t, Vocabulary())
	for i := range words[1:] {
		a, b := words[i], words[i+1]
		if a.Kind > b.Kind || a.Kind == b.Kind && a.Key >= b.Key {
			t.Fatalf("%v is before %v", a, b)
		}
	}
	if n := len(collect(t, Balance())); len(words) < 50_000 || n < 50_000 {
		t.Errorf("%d counts, %d weights", len(words), n)
	}
}

// Texts depend on the counts: who changes them raises Version.
func TestTheVersionIsRaised(t *testing.T) {
	const golden = "publiccounts/1 775b78e0bff358f5bf6f4a5a8d40aa6639796801cfb577be6f29cbcdf8fcc308"
	if got := fmt.Sprintf("%s %x", Version, sha256.Sum256([]byte(embedded))); got != golden {
		t.Errorf("the file has changed: raise Version, and write %q here", got)
	}
}

func TestAddTo(t *testing.T) {
	own := []schemas.Count{{Kind: "attribute", Key: "red", N: 3}, {Kind: "attribute", Key: "zzz unheard of", N: 2}}
	rows := func(yield func(schemas.Count, error) bool) {
		for _, c := range own {
			if !yield(c, nil) {
				return
			}
		}
	}
	count := func(rows []schemas.Count, key string) (n int64) {
		for _, c := range rows {
			if c.Kind == "attribute" && c.Key == key {
				n += c.N
			}
		}
		return n
	}
	public, sum := collect(t, Vocabulary()), collect(t, AddTo(rows))
	if red := count(public, "red"); red < 100 || count(sum, "red") != red+3 || count(sum, "zzz unheard of") != 2 || len(sum) != len(public)+1 {
		t.Errorf("red %d and %d, %d and %d rows", red, count(sum, "red"), len(public), len(sum))
	}
}

func TestDamagedCounts(t *testing.T) {
	for name, data := range map[string]string{"empty": "", "cut off": embedded[:len(embedded)/2], "no gzip": "attribute\nred\t1\n"} {
		failed := false
		for _, err := range readCounts(strings.NewReader(data), false) {
			failed = failed || err != nil
		}
		for _, err := range readCounts(strings.NewReader(data), true) {
			failed = failed || err != nil
		}
		if !failed {
			t.Errorf("%s: no error", name)
		}
	}
}
