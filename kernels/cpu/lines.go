package cpu

// lineSize is about how many numbers are worth a call of a vector function.
const lineSize = 512

// lines is rows of one width seen as fewer and longer ones, several to a line, for functions that
// treat all rows alike.
type lines struct{ cols, rows int }

func linesOf(cols int) lines { return lines{cols, max(lineSize/max(cols, 1), 1)} }

// length returns the number of elements of a line.
func (l lines) length() int { return l.cols * l.rows }

// repeatRow fills a line with copies of a row. The row may be the beginning of the line.
func (l lines) repeatRow(line, row []float32) {
	copy(line, row[:l.cols])
	for at := l.cols; at < l.length(); at += l.cols {
		copy(line[at:], line[:l.cols])
	}
}

// sumRows adds up the rows of a line at its beginning.
func (l lines) sumRows(add func(y, x []float32), line []float32) {
	for at := l.cols; at < l.length(); at += l.cols {
		add(line[:l.cols], line[at:at+l.cols])
	}
}
