package train

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"capgraph/train/loader"
)

// What a process tells the others of each of its samples: a byte of these, and of
// an image that is left out why, after two bytes of its length.
const (
	imageReady byte = 1 << iota
	imageAbsent
	partnerReady

	longestReason = 500
)

// leftOutElsewhere is the error of an image that another process left out.
type leftOutElsewhere struct {
	text   string
	absent bool
}

func (e *leftOutElsewhere) Error() string { return e.text }

// Is says whether the image is missing.
func (e *leftOutElsewhere) Is(target error) bool { return e.absent && target == fs.ErrNotExist }

// agree says which samples of a batch a step can use: those whose images are there
// on the process that has them, the same on all. The others have their Err, and a
// partner whose image is left out is no partner: PartnerErr says so. stop says whether this process was
// told to stop; all do where one was.
func (s *share) agree(b *loader.Batch, stop bool) (ready, leftOut []*loader.Sample, stopped bool, err error) {
	if s.alone() {
		ready, leftOut = b.Own()
		return ready, leftOut, stop, nil
	}
	s.told = append(s.told[:0], 0)
	if stop {
		s.told[0] = 1
	}
	for _, own := range b.Samples[b.First:b.Last] {
		s.told = appendSample(s.told, own)
	}
	parts, err := s.group.GatherBytes(s.told)
	if err != nil {
		return nil, nil, false, err
	}
	at := 0
	for rank, part := range parts {
		if len(part) == 0 {
			return nil, nil, false, errOtherBatches
		}
		stopped = stopped || part[0] != 0
		for part = part[1:]; len(part) > 0; at++ {
			if at == len(b.Samples) || rank == s.group.Rank && (at < b.First || at >= b.Last) {
				return nil, nil, false, errOtherBatches
			}
			if part, err = readSample(part, b.Samples[at], rank == s.group.Rank); err != nil {
				return nil, nil, false, fmt.Errorf("rank %d: %w", rank, err)
			}
			if sample := b.Samples[at]; sample.Err != nil {
				leftOut = append(leftOut, sample)
			} else {
				ready = append(ready, sample)
			}
		}
	}
	if at != len(b.Samples) {
		return nil, nil, false, errOtherBatches
	}
	return ready, leftOut, stopped, nil
}

func appendSample(told []byte, s *loader.Sample) []byte {
	var flags byte
	if s.Partner != nil {
		flags |= partnerReady
	}
	if s.Err == nil {
		return append(told, flags|imageReady)
	}
	if errors.Is(s.Err, fs.ErrNotExist) {
		flags |= imageAbsent
	}
	text := s.Err.Error()
	text = strings.ToValidUTF8(text[:min(len(text), longestReason)], "")
	return append(binary.LittleEndian.AppendUint16(append(told, flags), uint16(len(text))), text...)
}

// readSample takes over what another process tells of a sample, and returns what
// it tells of the next.
func readSample(told []byte, s *loader.Sample, own bool) ([]byte, error) {
	flags, told := told[0], told[1:]
	var text string
	if flags&imageReady == 0 {
		if len(told) < 2 || len(told) < 2+int(binary.LittleEndian.Uint16(told)) {
			return nil, errors.New("what it told of its images is cut off")
		}
		n := 2 + int(binary.LittleEndian.Uint16(told))
		text, told = string(told[2:n]), told[n:]
	}
	if own {
		return told, nil
	}
	s.Err = nil
	if flags&imageReady == 0 {
		s.Err = &leftOutElsewhere{text, flags&imageAbsent != 0}
	}
	if flags&partnerReady == 0 && s.Partner != nil {
		s.Partner, s.PartnerErr = nil, errors.New("its partner's image is left out on the process that has it")
	}
	return told, nil
}
