package train

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"capgraph/kernels"
	"capgraph/store"
	"capgraph/train/model"
	"capgraph/train/objective"
)

// setTeacher makes the stepper compute the features of a teacher model for the objective distill, which must be its
// first objective. The teacher has no gradients.
func (s *stepper) setTeacher(m *model.Model, batch Batch) {
	tape := func() *kernels.Tape { return kernels.NewTape(m.Device, kernels.NewArena(m.Device, 0)) }
	_, keeps := m.Device.(kernels.Recorder)
	keeps = keeps && batch.Buckets > 0
	z := &stepper{model: m, useFeatures: true, maxChunkTokens: s.maxChunkTokens}
	z.image, z.text = z.imageEncoder(tape(), keeps), z.textEncoder(tape(), keeps, batch.Buckets)
	s.teacher = z
}

// encodeTeacher sets the teacher's features in e: those of the images and captions of the loaded batch. joinPixels must
// have been called.
func (s *stepper) encodeTeacher(t *kernels.Tape, e *objective.Features) error {
	if s.teacher == nil {
		return nil
	}
	z, n := s.teacher, s.objectives[0].Objective.(*objective.Distill).TeacherTexts()
	z.batch.Images, z.batch.Texts, z.pixels = s.batch.Images, s.batch.Texts[:n], s.pixels
	z.offsets = s.offsets[:n+1]
	z.ids, z.lengths = s.ids[:z.offsets[n]], s.lengths[:n]
	z.image.ownRows, z.image.chunks = s.image.ownRows, s.image.chunks
	own := s.parallel.ownTextRows(z.offsets)
	z.text.ownRows = append(z.text.ownRows[:0], own)
	z.text.chunks = splitChunks(z.text.chunks, z.text.ownCount(), z.maxChunkTokens, func(i int) int { return int(z.lengths[own.first+i]) })
	z.allocateOutputs(t.Arena)
	texts, err := s.parallel.forwardTower(&z.text, t)
	if err != nil {
		return err
	}
	images, err := s.parallel.forwardTower(&z.image, t)
	if err != nil {
		return err
	}
	e.TeacherImage, e.TeacherText, e.TeacherLogScale = images[0], texts[0], z.model.LogScale()
	return nil
}

// openTeacher sets the teacher if the weight of objective.distill is not 0. The teacher has the initial weights of the
// training, even if it is resumed.
func (t *training) openTeacher(s store.Store, c model.Config) error {
	if t.recipe.Objective.Distill.Weight == 0 {
		return nil
	}
	m, err := model.New(t.device, c, model.ImageTower, model.TextTower, model.BindingTower, "")
	if err != nil {
		return err
	}
	if err := t.recipe.initialiseWeights(s, m); err != nil {
		return err
	}
	t.stepper.setTeacher(m, t.recipe.Batch)
	digest := sha256.New()
	var bits [8]byte
	weights := readWeights(m)
	for _, spec := range m.Specs {
		x, _ := weights[spec.Name].Floats()
		for _, v := range x {
			binary.LittleEndian.PutUint64(bits[:], math.Float64bits(v))
			digest.Write(bits[:])
		}
	}
	t.teacherDigest = hex.EncodeToString(digest.Sum(nil)[:8])
	return nil
}
