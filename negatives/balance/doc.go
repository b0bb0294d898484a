// Package balance removes negatives so that the others cannot be recognised by their words alone.
//
// A model that trains on negatives which say "purple" more often than the captions do learns to
// dislike purple, not to look. SugarCrepe (§3.3) drops pairs until a text-only model gives positives
// and negatives scores with the same distribution. This package does the same with a linear model
// and at scale.
//
// A pair is a positive text and a candidate negative; d is the difference of their counts of
// n-grams. A candidate is kept with probability
//
//	p = σ(Bias − s),   s = w·d
//
// where w minimises, over a sample of pairs,
//
//	Σ log(1 + exp(Bias − w·d)) + ½·Ridge·|w|²
//
// Its gradient, −Σ p·d + Ridge·w, vanishes if, among the pairs that are kept, every n-gram is added
// as often as it is removed, up to the ridge. Then a linear classifier over n-grams cannot
// recognise negatives. s is the score of the negative: the log-odds that it is recognised, 0 if
// nothing reveals it.
//
// Weights are separate for each method, so that the negatives of one method do not make up for those
// of another. If a Chooser would keep none of a caption's negatives, it keeps the one with the
// lowest s.
package balance
