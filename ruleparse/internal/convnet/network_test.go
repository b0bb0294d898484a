package convnet

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// fromFormula makes the network of testdata/golden.py.
func fromFormula(words int) string {
	k := uint32(0)
	next := func() int32 {
		x := k*2654435761 + 12345
		k++
		x ^= x >> 15
		x *= 0x85ebca6b
		x ^= x >> 13
		return int32(x >> 24)
	}
	var b []byte
	small := func(n int) {
		for range n {
			b = append(b, byte(next()%31-15))
		}
	}
	large := func(n int) {
		for range n {
			b = binary.LittleEndian.AppendUint32(b, uint32((next()-128)*40))
		}
	}
	for range words * codesPerWord {
		b = append(b, byte(next()))
	}
	rows := codesPerWord*256 + 1<<wordBits + 2<<affixBits + flagCount + 1
	for _, values := range traitSizes {
		rows += values
	}
	small(rows * channels)
	for _, width := range layerWidths {
		small(width * channels * channels)
		large(channels)
	}
	small(channels*channels + channels*LabelCount)
	large(LabelCount)
	return string(b)
}

// TestScoresAreThoseOfTheTrainer compares the packed network and its scores with those of PyTorch.
func TestScoresAreThoseOfTheTrainer(t *testing.T) {
	const words = 100
	s := fromFormula(words)
	n, err := Read(s, words)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Packed string // the SHA-256 in hexadecimal
		Texts  []struct {
			Rows   [][]int32
			Scores [][LabelCount]int32
		}
	}
	if err := json.Unmarshal(file, &golden); err != nil {
		t.Fatal(err)
	}
	if got := sha256.Sum256([]byte(s)); hex.EncodeToString(got[:]) != golden.Packed {
		t.Errorf("the trainer packs these weights otherwise: the sum is %x, want %s", got, golden.Packed)
	}
	var m Memory
	for _, g := range golden.Texts {
		var in []Input
		for _, r := range g.Rows {
			x := Input{Entry: r[0], Word: uint32(r[1]) << (32 - wordBits), Prefix: uint32(r[2]) << (32 - affixBits), Suffix: uint32(r[3]) << (32 - affixBits), Flags: uint16(r[4])}
			for k := range x.Traits {
				x.Traits[k] = uint8(r[5+k])
			}
			if !slices.Equal(x.Rows(), r) {
				t.Fatalf("rows %v, want %v", x.Rows(), r)
			}
			in = append(in, x)
		}
		n.Score(&m, in)
		if !slices.Equal(m.Scores, g.Scores) {
			t.Errorf("%d tokens: scores %v, want %v", len(in), m.Scores, g.Scores)
		}
	}
}

// TestExtremeWeights has the largest weights and values. A sum that overflows into its neighbour
// would differ from the plain one.
func TestExtremeWeights(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		weights := make([]byte, 200*channels)
		for i := range weights {
			weights[i] = []byte{127, 128, 129, 0}[rnd.IntN(4)]
		}
		var s channelSums
		var terms []term
		var want [channels]int32
		for k := range 200 {
			value := []uint8{0, 1, maxValue}[rnd.IntN(3)]
			terms = append(terms, term{uint64(value), k})
			for c := range want {
				want[c] += int32(value) * int32(int8(weights[k*channels+c]))
			}
		}
		s.addProducts(terms, packRows(string(weights)))
		if [channels]int32(s[:channels]) != want {
			t.Fatalf("sums %v, want %v", s[:channels], want)
		}
	}
}

// TestInputValues converts each sum of up to 40 rows.
func TestInputValues(t *testing.T) {
	for n := range uint64(41) {
		r := rowSums{n: n}
		for sum := -128 * int32(n); sum <= 127*int32(n); sum++ {
			const twice = 1<<32 + 1 // in 16 bits of each 32, beside the lowest sum
			want := uint64(clampValue(roundShift(sum, inputBits-valueBits))) * twice
			if got := r.toValues(uint64(sum+weightOffset*int32(n)) * twice); got != want {
				t.Fatalf("%d rows, sum %d: values %#x, want %#x", n, sum, got, want)
			}
		}
	}
}

func TestTextsOfAnyLength(t *testing.T) {
	n, err := Read(fromFormula(3), 3)
	if err != nil {
		t.Fatal(err)
	}
	var m Memory
	n.Score(&m, nil)
	if len(m.Scores) != 0 {
		t.Errorf("%d scores of no tokens", len(m.Scores))
	}
	in := make([]Input, 3000)
	for i := range in {
		in[i] = Input{Entry: int32(i%4) - 1, Word: uint32(i) * 2654435761, Flags: 1<<flagCount - 1}
	}
	n.Score(&m, in)
	first := slices.Clone(m.Scores)
	n.Score(&m, in[:1])
	n.Score(&m, in)
	if !slices.Equal(first, m.Scores) {
		t.Error("other scores the second time")
	}
}

func TestReadRefusesOtherSizes(t *testing.T) {
	s := fromFormula(3)
	for _, bad := range []struct {
		s     string
		words int
	}{{"", 3}, {s[:len(s)-1], 3}, {s + "\x00", 3}, {s, 4}, {s, -1}, {fromFormula(0), 1 << 61}} {
		if _, err := Read(bad.s, bad.words); err == nil || !strings.Contains(err.Error(), "network: ") {
			t.Errorf("%d bytes for %d words: %v", len(bad.s), bad.words, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte{}, 0)
	f.Add([]byte(fromFormula(1)), 1)
	f.Fuzz(func(t *testing.T, s []byte, words int) {
		n, err := Read(string(s), words)
		if err != nil {
			return
		}
		in := make([]Input, 3)
		for i := range in {
			in[i].Entry = int32(min(i, words) - 1)
		}
		var m Memory
		n.Score(&m, in)
	})
}

func BenchmarkScore(b *testing.B) {
	n, err := Read(fromFormula(100), 100)
	if err != nil {
		b.Fatal(err)
	}
	in := make([]Input, 10)
	for i := range in {
		in[i] = Input{Entry: int32(i), Word: uint32(i) * 2654435761, Flags: 3}
	}
	var m Memory
	b.ReportAllocs()
	for b.Loop() {
		n.Score(&m, in)
	}
}
