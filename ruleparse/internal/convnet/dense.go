package convnet

// packDense orders rows of int8 weights for addDense: of each four input channels, the four
// weights of each output channel.
func packDense(s string) []int8 {
	out := make([]int8, len(s))
	for row := range len(s) / channels {
		for c := range channels {
			out[(row/4*channels+c)*4+row%4] = int8(s[row*channels+c])
		}
	}
	return out
}

// addNeighbours adds the products of the tokens around i and the rows of a layer.
func (s *channelSums) addNeighbours(tokens []tokenValues, i, width int, rows []int8) {
	for k := range width {
		if j := i + k - width/2; j >= 0 && j < len(tokens) {
			addDense(s, &tokens[j], rows[k*channels*channels:])
		}
	}
}
