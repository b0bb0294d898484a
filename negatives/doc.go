// Package negatives turns the scene graphs of an image's captions into the
// pool of its texts: positives, which are true of the image, and hard
// negatives, which are false of it and differ from a positive in one thing.
//
// The steps, each a pure function of its input and of (seed, image key,
// text):
//
//   - A vocabulary.Counter counts, in pass 1, what the replacements are taken from;
//     NewVocabulary makes them ready for use from the merged counts.
//   - Generator.Texts decomposes each graph into sub-graphs with one or two
//     objects and says them in words (MosaiCLIP §3.3), some once more in other words, perturbs these (MosaiCLIP
//     §3.4, App. B) and the caption itself (NegCLIP's swaps, CE-CLIP §3.1), drops
//     what may be true of the image, and over-generates so that there is a choice.
//   - Capper selects from what is left.
//
// Generator.Texts reads facts of the image, makes a captionJob for each caption, has the decomposer
// make its positives, plans edits (planners), asks the source what to put in their slots, and runs
// the edits (editors, a table by method). An editor asks facts and dictionary, draws candidates with
// captionJob.sample, and gives what it made to the sink, which admits it to the pool or drops it with a
// Reason.
//
// The packages below it know no generator: truth, grammar, vocabulary and words say what words mean
// and what the corpus has of them, say puts phrases into words, siblings and plausible tell what is
// likely; whole reads what a model wrote; slots and methods name what others ask for.
package negatives
