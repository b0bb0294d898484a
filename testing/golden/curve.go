package golden

import "capgraph/internal/portable"

// The training of Curve, as in testdata/curve.py: hyperparameters of AdamW and the number of steps.
const (
	CurveSteps  = 1000
	CurveWarmup = 100
	CurveRate   = 5e-4
)

// CurveBatch returns the batch for a step of Curve, counted from 0: 16 images, each with a square
// in one of eight colours in one of its quarters, and a text for each.
func CurveBatch(step int) Batch {
	const n, side, block, start, end = 16, 32, 4, 62, 63
	random := portable.SplitMix64(1_000_003 + uint64(step))
	b := Batch{N: n, M: n, Images: make([]byte, n*side*side*3), True: make([]byte, n*n)}
	for i := range n {
		colour, quarter, form := random.IntN(8), random.IntN(4), random.IntN(3)
		var grey [side / block][side / block]byte
		for y := range grey {
			for x := range grey[y] {
				grey[y][x] = byte(64 + random.IntN(64))
			}
		}
		image := b.Images[i*side*side*3:]
		for y := range side {
			for x := range side {
				for c := range 3 {
					v := grey[y/block][x/block]
					switch {
					case y/16 != quarter/2 || x/16 != quarter%2:
					case colour>>c&1 == 1:
						v = 215
					default:
						v = 40
					}
					image[(y*side+x)*3+c] = v
				}
			}
		}
		k, q := int32(colour), int32(quarter)
		text := [][]int32{{start, k + 1, q + 20, end}, {start, 40, k + 1, 41, q + 20, end}, {start, q + 30, 42, 43, k + 10, 44, end}}[form]
		b.Tokens = append(b.Tokens, text...)
		b.Lengths = append(b.Lengths, int32(len(text)))
		b.True[i*n+i] = 1
	}
	return b
}
