// Package curate finds the rows to leave out of the training data. A Filter rejects captions by the
// rules with which the authors of AfriTeVa V2 (§3) filtered WURA, their corpus of web texts, as far
// as they suit captions, and by offensive words. EachKey and Drops find captions that repeat an
// earlier one. Excluded has the rows and images that the user lists.
package curate
