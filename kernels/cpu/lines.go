package cpu

// lineSize is about the least number of elements for which a call of a vector function is
// efficient.
const lineSize = 512

// lines groups rows of cols numbers into lines of that many rows. Functions that treat all rows
// alike then need fewer calls.
type lines struct{ cols, rows int }

func linesOf(cols int) lines { return lines{cols, max(lineSize/max(cols, 1), 1)} }

// length returns the number of elements of a line.
func (l lines) length() int { return l.cols * l.rows }

// repeatRow fills a line with copies of a row. row may overlap the beginning of line.
func (l lines) repeatRow(line, row []float32) {
	copy(line, row[:l.cols])
	for at := l.cols; at < l.length(); at += l.cols {
		copy(line[at:], line[:l.cols])
	}
}

// sumRows adds the other rows of a line to its first row.
func (l lines) sumRows(add func(y, x []float32), line []float32) {
	for at := l.cols; at < l.length(); at += l.cols {
		add(line[:l.cols], line[at:at+l.cols])
	}
}
