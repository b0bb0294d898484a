package encoder

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkEncode encodes texts by a network of bge-small's size. 14 pieces with the marks are the
// mean of COCO's captions.
func BenchmarkEncode(b *testing.B) {
	s := fromFormula(12, 100, 256)
	for _, k := range kernels() {
		before := kernel
		kernel = k
		n, err := Read(s)
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range []struct{ pieces, texts int }{{14, 1}, {14, 64}, {64, 16}, {250, 1}} {
			if k == &portable && c.texts*c.pieces > 14 {
				continue
			}
			b.Run(fmt.Sprintf("%s/pieces=%d/texts=%d", k.name, c.pieces, c.texts), func(b *testing.B) {
				texts := make([]Input, c.texts)
				for i := range texts {
					x := &texts[i]
					for p := range c.pieces {
						x.Pieces = append(x.Pieces, int32((p*7+i)%100))
					}
					x.Shapes = make([]uint8, c.pieces)
					x.First, x.Last = []int32{1}, []int32{2}
				}
				var m Memory
				least := time.Hour // of processor time, as other programs may run
				for b.Loop() {
					start := processorTime(b)
					n.Encode(&m, texts)
					least = min(least, processorTime(b)-start)
				}
				b.ReportMetric(float64(c.texts)/least.Seconds(), "texts/s")
				b.ReportMetric(float64(least.Nanoseconds())/1000/float64(c.texts*c.pieces), "µs/piece")
			})
		}
		kernel = before
	}
}

// BenchmarkPieces encodes the texts of the file that CAPGRAPH_PIECES names, a line of identifiers each, by the embedded
// network: tools/bench/encoder has the same in onnxruntime.
func BenchmarkPieces(b *testing.B) {
	lines, err := os.ReadFile(os.Getenv("CAPGRAPH_PIECES"))
	if err != nil {
		b.Skip("no pieces: ", err)
	}
	file, err := os.ReadFile("../model/encoder.bin")
	if err != nil {
		b.Fatal(err)
	}
	n, err := Read(string(file))
	if err != nil {
		b.Fatal(err)
	}
	var texts []Input
	for line := range strings.Lines(string(lines)) {
		var x Input
		for i, field := range strings.Fields(line) {
			piece, err := strconv.Atoi(field)
			if err != nil || piece < 0 || piece >= len(n.Vocabulary) {
				b.Fatalf("no piece: %q", field)
			}
			x.Pieces = append(x.Pieces, int32(piece))
			x.First, x.Last = append(x.First, int32(i)), append(x.Last, int32(i))
		}
		x.Shapes = make([]uint8, len(x.Pieces))
		x.First, x.Last = x.First[1:len(x.Pieces)-1], x.Last[1:len(x.Pieces)-1]
		texts = append(texts, x)
	}
	var m Memory
	least := time.Hour
	var sum float64
	for b.Loop() {
		start := processorTime(b)
		for some := range slices.Chunk(texts, 128) {
			n.Encode(&m, some)
		}
		least = min(least, processorTime(b)-start)
	}
	n.Encode(&m, texts[:1])
	for i, v := range m.Vectors {
		sum += float64(v) * float64(i%Width%7-3)
	}
	b.ReportMetric(float64(len(texts))/least.Seconds(), "texts/s")
	b.ReportMetric(sum, "sum")
}
