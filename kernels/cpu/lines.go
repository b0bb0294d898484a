package cpu

// lineSize is about how many numbers are worth a call of a vector function.
const lineSize = 512

// lines is rows of one width seen as fewer and longer ones, several to a line, for
// functions that treat all rows alike.
type lines struct{ cols, rows int }

func linesOf(cols int) lines { return lines{cols, max(lineSize/max(cols, 1), 1)} }

// len is the length of a line.
func (l lines) len() int { return l.cols * l.rows }

// fill makes a line of a row, which may be its own beginning.
func (l lines) fill(line, row []float32) {
	copy(line, row[:l.cols])
	for at := l.cols; at < l.len(); at += l.cols {
		copy(line[at:], line[:l.cols])
	}
}

// fold adds up the rows of a line at its beginning.
func (l lines) fold(add func(y, x []float32), line []float32) {
	for at := l.cols; at < l.len(); at += l.cols {
		add(line[:l.cols], line[at:at+l.cols])
	}
}
