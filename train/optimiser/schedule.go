package optimiser

import "math"

// The forms of a schedule, named as in open_clip.
const (
	Cosine        = "cosine"
	Const         = "const"
	ConstCooldown = "const-cooldown"
)

// Schedule says how a learning rate changes over a training.
type Schedule struct {
	// Form is Cosine, in which the rate falls to 0 along half a cosine wave; Const; or
	// ConstCooldown, in which it falls linearly to 0 over the last Cooldown steps.
	Form string
	// Steps is the number of steps of the whole training.
	Steps, Cooldown int
}

// At returns the learning rate of a step, from 0. It rises linearly to rate over the first warmup
// steps.
func (s Schedule) At(step int, rate float64, warmup int) float64 {
	if step < warmup {
		return rate * float64(step+1) / float64(warmup)
	}
	switch s.Form {
	case Cosine:
		if s.Steps <= warmup {
			return rate
		}
		return rate * 0.5 * (1 + math.Cos(math.Pi*float64(step-warmup)/float64(s.Steps-warmup)))
	case ConstCooldown:
		if begin := s.Steps - s.Cooldown; step >= begin && s.Cooldown > 0 {
			return rate * (1 - float64(step-begin)/float64(s.Cooldown))
		}
	}
	return rate
}
