package main

import (
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sort"
)

// languages are the languages of wordfreq in Latin script, with the weight of each among the samples. Languages with
// more captions on the web have more weight.
var languages = []struct {
	code, size string
	share      int
}{
	{"de", "large", 4}, {"fr", "large", 4}, {"es", "large", 4}, {"it", "large", 3}, {"pt", "large", 3}, {"nl", "large", 3},
	{"pl", "large", 2}, {"sv", "large", 2}, {"nb", "large", 1}, {"da", "small", 2}, {"fi", "large", 2}, {"cs", "large", 2}, {"tr", "small", 2},
	{"ro", "small", 2}, {"hu", "small", 2}, {"id", "small", 2}, {"ca", "large", 1}, {"sk", "small", 1}, {"sl", "small", 1}, {"sh", "small", 1},
	{"lt", "small", 1}, {"lv", "small", 1}, {"vi", "small", 1}, {"is", "small", 1}, {"fil", "small", 1}, {"ms", "small", 1},
}

// list has the words of a language, to draw from at random.
type list struct {
	words []string
	sums  []float64 // cumulative sums of the weights of the words
}

// lists has the words of English, and of the other languages in the order of languages.
type lists struct {
	english list
	others  []list
}

func readLists(dir string) (*lists, error) {
	english, err := readList(filepath.Join(dir, "large_en.msgpack.gz"))
	if err != nil {
		return nil, err
	}
	all := &lists{english: english}
	for _, l := range languages {
		other, err := readList(filepath.Join(dir, l.size+"_"+l.code+".msgpack.gz"))
		if err != nil {
			return nil, err
		}
		all.others = append(all.others, other)
	}
	return all, nil
}

// mostWords is the number of most frequent words of a language that are used.
const mostWords = 60000

// flatness is the exponent of a word's frequency in its weight: rare words are drawn more often than in running text.
const flatness = 0.75

// readList reads a file of wordfreq: a header, then a list of words for each frequency, in steps of 0.01 of the decimal
// logarithm.
func readList(path string) (list, error) {
	f, err := os.Open(path)
	if err != nil {
		return list{}, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return list{}, fmt.Errorf("%s: %w", path, err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		return list{}, fmt.Errorf("%s: %w", path, err)
	}
	d := &decoder{data: data}
	var l list
	sum := 0.0
	n := d.readLength(0x90, 0xdc)
	d.readHeader()
	for step := 0; step < n-1 && d.err == nil && len(l.words) < mostWords; step++ {
		weight := math.Pow(10, -float64(step)/100*flatness)
		for range d.readLength(0x90, 0xdc) {
			sum += weight
			l.words, l.sums = append(l.words, d.readText()), append(l.sums, sum)
		}
	}
	if d.err != nil {
		return list{}, fmt.Errorf("%s: %w", path, d.err)
	}
	return l, nil
}

// drawWord returns the word for the random number u, from 0 to 1.
func (l *list) drawWord(u float64) string {
	at := sort.SearchFloat64s(l.sums, u*l.sums[len(l.sums)-1])
	return l.words[min(at, len(l.words)-1)]
}

// decoder reads the part of MessagePack that wordfreq uses.
type decoder struct {
	data []byte
	err  error
}

func (d *decoder) takeBytes(n int) []byte {
	if d.err != nil || n > len(d.data) {
		d.err = errors.New("is cut off, or is no file of wordfreq")
		return make([]byte, min(n, 8))
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

// readLength reads the head of a list or map and returns its length. small is the type of a short one, long the type of
// one with a length of 16 bits; the type after long has 32 bits.
func (d *decoder) readLength(small, long byte) int {
	switch b := d.takeBytes(1)[0]; {
	case b&0xf0 == small:
		return int(b & 0x0f)
	case b == long:
		return int(binary.BigEndian.Uint16(d.takeBytes(2)))
	case b == long+1:
		return int(binary.BigEndian.Uint32(d.takeBytes(4)))
	}
	d.err = errors.New("is no file of wordfreq")
	return 0
}

// readHeader skips the map at the beginning, which has texts and small numbers.
func (d *decoder) readHeader() {
	for range d.readLength(0x80, 0xde) {
		d.readText()
		if len(d.data) > 0 && d.data[0] < 0x80 {
			d.takeBytes(1)
		} else {
			d.readText()
		}
	}
}

func (d *decoder) readText() string {
	b := d.takeBytes(1)[0]
	switch {
	case b&0xe0 == 0xa0:
		return string(d.takeBytes(int(b & 0x1f)))
	case b == 0xd9:
		return string(d.takeBytes(int(d.takeBytes(1)[0])))
	case b == 0xda:
		return string(d.takeBytes(int(binary.BigEndian.Uint16(d.takeBytes(2)))))
	}
	d.err = errors.New("is no file of wordfreq")
	return ""
}
