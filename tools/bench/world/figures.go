package main

import "math"

// sample is a figure of several seeds, in percent, in the order of the seeds.
type sample []float64

func (s sample) mean() float64 {
	sum := 0.0
	for _, x := range s {
		sum += x
	}
	return sum / float64(len(s))
}

// deviation is the standard deviation; 0 of less than two.
func (s sample) deviation() float64 {
	if len(s) < 2 {
		return 0
	}
	sum, mean := 0.0, s.mean()
	for _, x := range s {
		sum += (x - mean) * (x - mean)
	}
	return math.Sqrt(sum / float64(len(s)-1))
}

// minus are the differences of two samples of the same seeds.
func (s sample) minus(other sample) sample {
	d := make(sample, len(s))
	for i := range s {
		d[i] = s[i] - other[i]
	}
	return d
}

// apart reports whether paired differences are all on one side as far as seeds
// tell: their mean is two standard deviations or more from 0. It is 1, -1, or 0
// where it is not so or less than three seeds were run.
func (s sample) apart() int {
	mean := s.mean()
	switch {
	case len(s) < 3 || !(math.Abs(mean) >= 2*s.deviation()) || mean == 0:
		return 0
	case mean > 0:
		return 1
	}
	return -1
}
