package train

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"capgraph/train/group"
	"capgraph/train/loader"
)

// batchOf is a batch of eight samples as a rank's loader has it: image 2 is
// missing, 5 broken, the partner of 6 missing.
func batchOf(rank, world int) *loader.Batch {
	b := &loader.Batch{First: rank * 8 / world, Last: (rank + 1) * 8 / world}
	for i := range 8 {
		s := &loader.Sample{Key: fmt.Sprint(i), Partner: &loader.Sample{}}
		if i >= b.First && i < b.Last {
			switch i {
			case 2:
				s.Err = fmt.Errorf("a/2.jpg: %w", fs.ErrNotExist)
			case 5:
				s.Err = errors.New(strings.Repeat("no JPEG ", 1000))
			default:
				s.Pixels = []byte{1}
			}
			if i == 6 {
				s.Partner, s.PartnerErr = nil, fs.ErrNotExist
			}
		}
		b.Samples = append(b.Samples, s)
	}
	return b
}

func TestProcessesAgreeOnTheSamplesOfAStep(t *testing.T) {
	for _, world := range []int{1, 2, 3, 8} {
		err := runRanks(t, world, func(g *group.Group) error {
			b, s := batchOf(g.Rank, world), dataParallel{group: g}
			ready, leftOut, stopped, err := s.agreeOnSamples(b, false)
			if err != nil || stopped {
				return fmt.Errorf("stopped %v, error %v", stopped, err)
			}
			var got string
			for _, s := range ready {
				got += s.Key
				if (s.Partner == nil) != (s.PartnerErr != nil) {
					return fmt.Errorf("partner %v and its error %v", s.Partner, s.PartnerErr)
				}
				if s.Partner == nil {
					got += "*"
				}
			}
			for _, s := range leftOut {
				got += " " + s.Key + reasonOf(s.Err) + s.Err.Error()[:4]
			}
			if want := "01346*7 2missinga/2. 5brokenno J"; got != want {
				return fmt.Errorf("%s, not %s", got, want)
			}
			_, _, stopped, err = s.agreeOnSamples(b, g.Rank == world-1)
			if err != nil || !stopped {
				return fmt.Errorf("not all stop: %v", err)
			}
			if world > 1 && g.Rank == 0 {
				b.Samples = b.Samples[:7]
			}
			if _, _, _, err := s.agreeOnSamples(b, false); errors.Is(err, errBatchesDiffer) != (len(b.Samples) == 7) {
				return fmt.Errorf("batches of different sizes: %v", err)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%d processes: %v", world, err)
		}
	}
}

func FuzzReadSample(f *testing.F) {
	for _, s := range batchOf(0, 1).Samples {
		f.Add(appendStatus(nil, s))
	}
	f.Add([]byte{0, 255, 255, 'a'})
	f.Fuzz(func(t *testing.T, told []byte) {
		for len(told) > 0 {
			s := loader.Sample{Partner: &loader.Sample{}}
			rest, err := readStatus(told, &s, false)
			if err != nil {
				return
			}
			if len(rest) >= len(told) || (told[0]&imageReady == 0) != (s.Err != nil) {
				t.Fatalf("%v leaves %v: %+v", told, rest, s)
			}
			told = rest
		}
	})
}
