package encoder

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// formula makes the network of testdata/golden.py.
type formula struct {
	k   uint32
	out []byte
}

func (f *formula) next() int32 {
	x := f.k*2654435761 + 12345
	f.k++
	x ^= x >> 15
	x *= 0x85ebca6b
	x ^= x >> 13
	return int32(x >> 24)
}

func (f *formula) small(n int) {
	for range n {
		f.out = append(f.out, byte(f.next()%255-127))
	}
}

func (f *formula) floats(n int, start, step float32) {
	for range n {
		f.out = binary.LittleEndian.AppendUint32(f.out, math.Float32bits(start+float32(float32(f.next()-128)*step)))
	}
}

func (f *formula) norm() {
	f.floats(Width, 1, 0x1p-9)
	f.floats(Width, 0, 0x1p-9)
}

func (f *formula) matrix(outputs, inputs int, bias float32) {
	f.small(outputs * inputs)
	f.floats(outputs, 0x1p-10, 0x1p-19)
	f.floats(outputs, 0, bias)
}

func (f *formula) head(ends int, tables ...int) {
	f.matrix(ends*headInner, Width, 0)
	for _, rows := range tables {
		f.floats(rows*headInner, 0, 0x1p-10)
	}
	f.matrix(headInner, headInner, 0x1p-10)
	f.floats(headInner, 0, 0x1p-10)
	f.floats(1, 0, 0x1p-10)
}

func fromFormula(layers, pieces, positions int) string {
	f := &formula{out: []byte(magic)}
	for _, n := range []int{layers, pieces, positions, 5 * pieces, 0} {
		f.out = binary.LittleEndian.AppendUint32(f.out, uint32(n))
	}
	for i := range pieces {
		f.out = fmt.Appendf(f.out, "p%03d\n", i)
	}
	f.small(pieces * Width)
	f.floats(pieces, 0x1p-10, 0x1p-19)
	for _, rows := range []int{16, 2, positions} {
		f.floats(rows*Width, 0, 0x1p-10)
	}
	f.norm()
	for range layers {
		f.matrix(3*Width, Width, 0x1p-10)
		f.matrix(Width, Width, 0x1p-10)
		f.norm()
		f.matrix(inner, Width, 0x1p-10)
		f.matrix(Width, inner, 0x1p-10)
		f.norm()
	}
	f.floats(LabelCount*Width, 0, 0x1p-10)
	f.floats(LabelCount, 0, 0x1p-10)
	f.head(4, 64)
	f.head(6, 128, 32, 64, 8)
	return string(f.out)
}

var small = sync.OnceValue(func() string { return fromFormula(2, 100, 40) })

// useKernel computes with k until the test ends, and returns a network that was read with it.
func useKernel(t testing.TB, k *kernelSet) *Network {
	before := kernel
	t.Cleanup(func() { kernel = before })
	kernel = k
	n, err := Read(small())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// unrounded returns the network of small with float32 in the place of int8 and its scales.
func unrounded(t testing.TB) string {
	n := useKernel(t, &portable)
	out := []byte(small()[:len(magic)+16])
	out = append(binary.LittleEndian.AppendUint32(out, 1), strings.Join(n.Vocabulary, "\n")+"\n"...)
	add := func(parts ...[]float32) {
		for _, x := range parts {
			for _, v := range x {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
			}
		}
	}
	scaled := func(rows []int8, scales []float32) []float32 {
		x := make([]float32, len(rows))
		for i, v := range rows {
			x[i] = float32(v) * scales[i*len(scales)/len(rows)]
		}
		return x
	}
	addMatrix := func(m *matrix) { add(scaled(m.toRowMajor().Weights, m.scales), m.biases) }
	add(scaled(n.words, n.wordScales), n.shapes, n.written, n.positions, n.norm.gamma, n.norm.beta)
	for i := range n.layers {
		l := &n.layers[i]
		addMatrix(&l.queries)
		addMatrix(&l.attention)
		add(l.norm.gamma, l.norm.beta)
		addMatrix(&l.inner)
		addMatrix(&l.outer)
		add(l.outerNorm.gamma, l.outerNorm.beta)
	}
	add(n.labels, n.labelBias)
	for _, h := range []*pairHead{&n.owners, &n.relations} {
		addMatrix(&h.ends)
		add(h.tables...)
		addMatrix(&h.middle)
		add(h.last, []float32{h.bias})
	}
	return string(out)
}

type golden struct {
	SHA256 string
	Texts  []struct {
		Input
		Shapes  []int
		Rows    [][5]int32
		Options [][10]int32

		Int8, Float32 scores // with inputs of matrices that are rounded, and as they are
	}
}

type scores struct {
	Labels            [][LabelCount]float32
	Owners, Relations []float32
}

func readGolden(t *testing.T) (g golden) {
	file, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file, &g); err != nil {
		t.Fatal(err)
	}
	for i := range g.Texts {
		for _, s := range g.Texts[i].Shapes {
			g.Texts[i].Input.Shapes = append(g.Texts[i].Input.Shapes, uint8(s))
		}
	}
	return g
}

// TestScoresAreThoseOfTheTrainer compares scores with those of PyTorch, whose sums of floats have
// another order. Now and then a value is rounded otherwise, if the network is rounded.
func TestScoresAreThoseOfTheTrainer(t *testing.T) {
	exact, err := Read(unrounded(t))
	if err != nil {
		t.Fatal(err)
	}
	n := useKernel(t, kernel)
	g := readGolden(t)
	if sum := sha256.Sum256([]byte(small())); hex.EncodeToString(sum[:]) != g.SHA256 {
		t.Fatal("the network is not that of golden.py")
	}
	for _, x := range g.Texts {
		for _, c := range []struct {
			name    string
			network *Network
			want    *scores
			bound   float32
		}{{"int8", n, &x.Int8, 0.25}, {"float32", exact, &x.Float32, 0.001}} {
			var m Memory
			c.network.Encode(&m, []Input{x.Input})
			worst := float32(0)
			for i, want := range c.want.Labels {
				var got [LabelCount]float32
				c.network.Label(&got, m.Vectors[i*Width:])
				for l := range got {
					worst = max(worst, abs(got[l]-want[l]))
				}
			}
			var e Ends
			c.network.ComputeOwnerEnds(&e, m.Vectors)
			for i, r := range x.Rows {
				worst = max(worst, abs(c.network.ScoreOwner(&e, [4]int32(r[:4]), int(r[4]))-c.want.Owners[i]))
			}
			c.network.ComputeRelationEnds(&e, m.Vectors)
			for i, got := range c.network.AppendRelationScores(&e, optionsOf(x.Options), nil) {
				worst = max(worst, abs(got-c.want.Relations[i]))
			}
			if t.Logf("%s, %d tokens: largest difference %g", c.name, len(x.First), worst); !(worst < c.bound) {
				t.Errorf("%s, %d tokens: scores differ by %g from PyTorch's", c.name, len(x.First), worst)
			}
		}
	}
}

func optionsOf(rows [][10]int32) (out []Option) {
	for _, r := range rows {
		out = append(out, Option{[6]int32(r[:6]), int(r[6]), int(r[7]), int(r[8]), int(r[9])})
	}
	return out
}

// TestHeadsAgree compares the scores of owners and of relations, alone and together, by each kernel with
// those of plain Go.
func TestHeadsAgree(t *testing.T) {
	g := readGolden(t)
	const bits = "94b3b889139143e0" // of plain Go on every architecture
	var want []float32
	for _, k := range kernels() {
		n := useKernel(t, k)
		var m Memory
		var e Ends
		var got []float32
		for _, x := range g.Texts {
			n.Encode(&m, []Input{x.Input})
			n.ComputeOwnerEnds(&e, m.Vectors)
			for _, r := range x.Rows {
				got = append(got, n.ScoreOwner(&e, [4]int32(r[:4]), int(r[4])))
			}
			n.ComputeRelationEnds(&e, m.Vectors)
			options := optionsOf(x.Options)
			from := len(got)
			got = n.AppendRelationScores(&e, options, got)
			for i := range options {
				sameBits(t, k.name+", one option", n.AppendRelationScores(&e, options[i:i+1], nil), got[from+i:][:1])
			}
		}
		if want == nil {
			want = got
			h := sha256.New()
			binary.Write(h, binary.LittleEndian, got)
			if sum := hex.EncodeToString(h.Sum(nil)[:8]); sum != bits {
				t.Errorf("%s on %s: bits %s, want %s", k.name, runtime.GOARCH, sum, bits)
			}
		}
		sameBits(t, k.name, got, want)
	}
	if n := useKernel(t, kernel); len(n.AppendRelationScores(new(Ends), nil, nil)) != 0 {
		t.Error("scores of no option")
	}
}

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }

// TestBatchesAgree compares the vectors of texts alone and together, by each kernel with those of
// plain Go.
func TestBatchesAgree(t *testing.T) {
	g := readGolden(t)
	var texts []Input
	for range 5 {
		for _, x := range g.Texts {
			texts = append(texts, x.Input)
		}
	}
	var want []float32
	const bits = "3ba2ff1e6bd92ccb" // of plain Go on every architecture
	for _, k := range kernels() {
		n := useKernel(t, k)
		var m Memory
		n.Encode(&m, texts)
		together := slices.Clone(m.Vectors)
		if want == nil {
			want = together
			h := sha256.New()
			binary.Write(h, binary.LittleEndian, together)
			if got := hex.EncodeToString(h.Sum(nil)[:8]); got != bits {
				t.Errorf("%s on %s: bits %s, want %s", k.name, runtime.GOARCH, got, bits)
			}
		}
		for i := range together {
			if math.Float32bits(together[i]) != math.Float32bits(want[i]) {
				t.Fatalf("%s: number %d is %g, %g in plain Go", k.name, i, together[i], want[i])
			}
		}
		var alone []float32
		for _, x := range texts[:len(g.Texts)] {
			n.Encode(&m, []Input{x})
			alone = append(alone, m.Vectors...)
		}
		if !slices.Equal(alone, together[:len(alone)]) {
			t.Errorf("%s: texts alone have other vectors", k.name)
		}
	}
}

func TestTextsOfAnyLength(t *testing.T) {
	n := useKernel(t, kernel)
	var m Memory
	n.Encode(&m, nil)
	if len(m.Vectors) != 0 {
		t.Errorf("%d numbers for no text", len(m.Vectors))
	}
	long := Input{Pieces: make([]int32, n.Positions()), Shapes: make([]uint8, n.Positions()), First: []int32{1}, Last: []int32{30}}
	n.Encode(&m, []Input{{Pieces: []int32{1, 2}, Shapes: []uint8{0, 0}}, long, {}})
	if len(m.Vectors) != Width {
		t.Errorf("%d numbers for one token", len(m.Vectors))
	}
}

func TestACardRefusesFloat32(t *testing.T) {
	n, err := Read(unrounded(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.MoveTo(nil); err == nil {
		t.Error("moved")
	}
}

func TestReadRefuses(t *testing.T) {
	s := small()
	precise := []byte(s)
	precise[len(magic)+16] = 2
	many := []byte(s[:200])
	binary.LittleEndian.PutUint32(many[len(magic):], 1<<31)
	for name, bad := range map[string]string{
		"nothing": "", "another file": "capgraph encoder 2\n" + s[len(magic):], "a header": s[:len(magic)+10],
		"a byte less": s[:len(s)-1], "a byte more": s + "\x00", "many layers": string(many),
		"int8 as float32": s[:len(magic)+16] + "\x01" + s[len(magic)+17:], "another precision": string(precise),
	} {
		if _, err := Read(bad); err == nil || !strings.Contains(err.Error(), "encoder: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte(unrounded(f)))
	f.Add([]byte(small()[:300]))
	f.Add([]byte(fromFormula(0, 1, 3)))
	f.Fuzz(func(t *testing.T, s []byte) {
		n, err := Read(string(s))
		if err != nil || len(n.Vocabulary) == 0 {
			return
		}
		var m Memory
		n.Encode(&m, []Input{{Pieces: make([]int32, 3), Shapes: make([]uint8, 3), First: []int32{1}, Last: []int32{1}}})
	})
}
