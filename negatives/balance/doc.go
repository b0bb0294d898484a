// Package balance keeps negatives from being told by their words alone.
//
// A model that trains on negatives which say "purple" more often than the
// captions do learns to dislike purple, not to look. SugarCrepe (§3.3) drops
// pairs until the scores that a text-only model gives positives and negatives
// are distributed alike. Here, the same is done with a linear model and at scale:
//
// A pair is a positive text and a candidate negative; d is what the negative
// adds to the counts of the positive's n-grams, and takes off them. A candidate
// is kept with probability
//
//	p = σ(Bias − s),   s = w·d
//
// where w minimises, over a sample of pairs,
//
//	Σ log(1 + exp(Bias − w·d)) + ½·Ridge·|w|²
//
// Its gradient, −Σ p·d + Ridge·w, vanishes where every n-gram comes in as often
// as it goes among the pairs that are kept, up to the ridge: what a linear
// classifier over n-grams has nothing to go by. s is the score of the negative:
// the log-odds that it is recognised, 0 if nothing tells it.
//
// Weights are separate for each method, so that the negatives of one method do not
// make up for those of another. A Chooser that would keep none of a caption keeps the one with
// the lowest s besides.
package balance
