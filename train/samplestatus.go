package train

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"capgraph/train/loader"
)

// The flags of the status byte that a process sends for each of its samples. If the image is left
// out, two bytes with the length of the reason follow, then the reason.
const (
	imageReady byte = 1 << iota
	imageNotFound
	partnerReady

	maxReasonBytes = 500
)

// remoteImageError is the error of an image that another process left out.
type remoteImageError struct {
	text    string
	missing bool
}

func (e *remoteImageError) Error() string { return e.text }

// Is reports whether target is fs.ErrNotExist and the image does not exist.
func (e *remoteImageError) Is(target error) bool { return e.missing && target == fs.ErrNotExist }

// agreeOnSamples returns the samples of a batch whose images could be read (ready), and the others
// (leftOut), whose Err is set. Each process reads its own images and all return the same samples. A
// partner whose image could not be read is dropped, and PartnerErr is set. stop says that this
// process was asked to stop; stopped, that any process was.
func (p *dataParallel) agreeOnSamples(b *loader.Batch, stop bool) (ready, leftOut []*loader.Sample, stopped bool, err error) {
	if p.isSingle() {
		ready, leftOut = b.OwnSamples()
		return ready, leftOut, stop, nil
	}
	p.statusBuffer = append(p.statusBuffer[:0], 0)
	if stop {
		p.statusBuffer[0] = 1
	}
	for _, own := range b.Samples[b.First:b.Last] {
		p.statusBuffer = appendStatus(p.statusBuffer, own)
	}
	parts, err := p.group.GatherBytes(p.statusBuffer)
	if err != nil {
		return nil, nil, false, err
	}
	at := 0
	for rank, part := range parts {
		if len(part) == 0 {
			return nil, nil, false, errBatchesDiffer
		}
		stopped = stopped || part[0] != 0
		for part = part[1:]; len(part) > 0; at++ {
			if at == len(b.Samples) || rank == p.group.Rank && (at < b.First || at >= b.Last) {
				return nil, nil, false, errBatchesDiffer
			}
			if part, err = readStatus(part, b.Samples[at], rank == p.group.Rank); err != nil {
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
		return nil, nil, false, errBatchesDiffer
	}
	return ready, leftOut, stopped, nil
}

// appendStatus appends the status of a sample, as sent to the other processes, to told.
func appendStatus(told []byte, s *loader.Sample) []byte {
	var flags byte
	if s.Partner != nil {
		flags |= partnerReady
	}
	if s.Err == nil {
		return append(told, flags|imageReady)
	}
	if errors.Is(s.Err, fs.ErrNotExist) {
		flags |= imageNotFound
	}
	text := s.Err.Error()
	text = strings.ToValidUTF8(text[:min(len(text), maxReasonBytes)], "")
	return append(binary.LittleEndian.AppendUint16(append(told, flags), uint16(len(text))), text...)
}

// readStatus reads the status of a sample, applies it unless the sample is this process's own, and
// returns the bytes after it.
func readStatus(told []byte, s *loader.Sample, own bool) ([]byte, error) {
	flags, told := told[0], told[1:]
	var text string
	if flags&imageReady == 0 {
		if len(told) < 2 || len(told) < 2+int(binary.LittleEndian.Uint16(told)) {
			return nil, errors.New("the status of its images is cut off")
		}
		n := 2 + int(binary.LittleEndian.Uint16(told))
		text, told = string(told[2:n]), told[n:]
	}
	if own {
		return told, nil
	}
	s.Err = nil
	if flags&imageReady == 0 {
		s.Err = &remoteImageError{text, flags&imageNotFound != 0}
	}
	if flags&partnerReady == 0 && s.Partner != nil {
		s.Partner, s.PartnerErr = nil, errors.New("its partner's image was left out by the process that has it")
	}
	return told, nil
}
