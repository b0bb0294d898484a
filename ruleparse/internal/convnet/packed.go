package convnet

// packedRow is a row of weights with three channels in each uint64, so that one multiplication does
// three. A weight is stored as weight+128, in [0, 255]. Lanes beyond the channels are 0.
type packedRow [blocks]block

// block is the part of a row that is summed in registers.
type block [6]uint64

const (
	laneBits       = 21
	laneMask       = 1<<laneBits - 1
	blockChannels  = 3 * len(block{})
	blocks         = (channels + blockChannels - 1) / blockChannels
	weightOffset   = 128            // a weight of 0 in a packed row
	maxLaneSum     = laneMask / 255 // bound on the sum of values that fits a lane
	paddedChannels = blocks * blockChannels
)

// packRows packs rows of int8 weights.
func packRows(s string) []packedRow {
	rows := make([]packedRow, len(s)/channels)
	for i := range len(s) {
		c := i % channels
		word := c / 3
		rows[i/channels][word/len(block{})][word%len(block{})] |= uint64(int32(int8(s[i]))+weightOffset) << (laneBits * (c % 3))
	}
	return rows
}

// term is a value, below 128, and the row that it multiplies.
type term struct {
	value uint64
	row   int
}

// channelSums are sums for the channels; entries beyond them are meaningless.
type channelSums [paddedChannels]int32

// addProducts adds the products of terms and rows.
func (s *channelSums) addProducts(terms []term, rows []packedRow) {
	for len(terms) > 0 {
		n, values := 0, uint64(0)
		for n < len(terms) && values+terms[n].value <= maxLaneSum {
			values += terms[n].value
			n++
		}
		for b := range blocks {
			var x block
			for i := range n {
				t := &terms[i]
				w, v := &rows[t.row][b], t.value
				x[0] += v * w[0]
				x[1] += v * w[1]
				x[2] += v * w[2]
				x[3] += v * w[3]
				x[4] += v * w[4]
				x[5] += v * w[5]
			}
			out := s[b*blockChannels:][:blockChannels]
			for k, x := range x {
				out[3*k] += int32(x&laneMask) - int32(values)*weightOffset
				out[3*k+1] += int32(x>>laneBits&laneMask) - int32(values)*weightOffset
				out[3*k+2] += int32(x>>(2*laneBits)) - int32(values)*weightOffset
			}
		}
		terms = terms[n:]
	}
}
