package main

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// sample has a figure for each seed, in percent, in the order of the seeds.
type sample []float64

func (s sample) mean() float64 {
	sum := 0.0
	for _, x := range s {
		sum += x
	}
	return sum / float64(len(s))
}

// deviation returns the standard deviation; 0 for fewer than two values.
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

// minus returns the differences of two samples of the same seeds.
func (s sample) minus(other sample) sample {
	d := make(sample, len(s))
	for i := range s {
		d[i] = s[i] - other[i]
	}
	return d
}

// compareWithZero returns 1 or −1 if the 95 % interval (Student's t) of the mean is above or below 0. It
// returns 0 if the interval contains 0, or there are fewer than three seeds.
func (s sample) compareWithZero() int {
	if len(s) < 3 {
		return 0
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(len(s) - 1)}.Quantile(0.975)
	half := t * s.deviation() / math.Sqrt(float64(len(s)))
	switch mean := s.mean(); {
	case mean-half > 0:
		return 1
	case mean+half < 0:
		return -1
	}
	return 0
}
