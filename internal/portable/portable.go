// Package portable computes the floating-point numbers that go into files, with the same bits on
// every architecture. Some functions of package math are assembly on some architectures, and differ
// in the last bits. A compiler may also fuse a product and a sum without rounding in between,
// unless a conversion forces the rounding.
package portable

import "math"

// The two parts of ln 2 in Shibata's exponential function.
const (
	upperLn2 = 0.69314718055966295651160180568695068359375
	lowerLn2 = 0.28235290563031577122588448175013436025525412068e-12
)

// Exp returns e**x; 0 or infinity if x is beyond ±708. It is the formula of Shibata 2010,
// "Efficient evaluation methods of elementary functions suitable for SIMD computation", and has the
// bits that package math computes on amd64 with FMA.
func Exp(x float64) float64 {
	switch {
	case x > 708:
		return math.Inf(1)
	case x < -708:
		return 0
	}
	k := math.RoundToEven(x * math.Log2E)
	r := math.FMA(-k, lowerLn2, math.FMA(-k, upperLn2, x)) / 16
	// The Taylor series of e**r - 1, which is then squared four times.
	y := math.FMA(1./40320, r, 1./5040)
	y = math.FMA(y, r, 1./720)
	y = math.FMA(y, r, 1./120)
	y = math.FMA(y, r, 1./24)
	y = math.FMA(y, r, 1./6)
	y = math.FMA(y, r, 1./2)
	y = math.FMA(y, r, 1)
	y = float64(y * r)
	y = float64(y * (y + 2))
	y = float64(y * (y + 2))
	y = float64(y * (y + 2))
	y = math.FMA(y, y+2, 1)
	return y * math.Float64frombits(uint64(int64(k)+1023)<<52)
}

// Log returns the natural logarithm of x, which is positive and normal. It is the formula of
// FreeBSD's e_log.c, as package math has it.
func Log(x float64) float64 {
	f, exponent := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f *= 2
		exponent--
	}
	f--
	k := float64(exponent)
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	t1 := float64(s4 * 1.479819860511658591e-01)
	t1 = float64(s4 * (1.818357216161805012e-01 + t1))
	t1 = float64(s4 * (2.857142874366239149e-01 + t1))
	t1 = float64(s2 * (6.666666666666735130e-01 + t1))
	t2 := float64(s4 * 1.531383769920937332e-01)
	t2 = float64(s4 * (2.222219843214978396e-01 + t2))
	t2 = float64(s4 * (3.999999999940941908e-01 + t2))
	half := float64(0.5 * f * f)
	low := float64(s*(half+(t1+t2))) + float64(k*1.90821492927058770002e-10)
	return float64(k*6.93147180369123816490e-01) - ((half - low) - f)
}
