// Package negatives turns the scene graphs of an image's captions into a pool of texts: positives,
// which are true of the image, and hard negatives, which are false of it and differ from a positive
// in one thing.
//
// The steps, each a pure function of its input and of (seed, image key, text):
//
//   - In pass 1, a vocabulary.Counter counts the words from which replacements are taken.
//     NewVocabulary makes a vocabulary of the merged counts.
//   - Generator.Texts decomposes each graph into sub-graphs with one or two objects and puts them
//     into words (MosaiCLIP §3.3); some also get a paraphrase. It perturbs these (MosaiCLIP §3.4,
//     App. B) and the caption itself (NegCLIP's swaps, CE-CLIP §3.1), and drops what may be true of
//     the image. It makes more negatives than are kept, so that there is a choice.
//   - A Capper selects the negatives to keep.
//
// Generator.Texts reads the facts of the image and makes a captionJob for each caption. The
// decomposer makes its positives, the planners plan edits, the source proposes replacements for
// their slots, and the editors (a table by method) make the edits. An editor asks facts and
// dictionary, draws candidates with captionJob.sample, and passes its results to the sink, which
// adds them to the pool or drops them with a Reason.
//
// The packages that it imports do not import it. truth, grammar, vocabulary and words have what
// words mean and what the corpus has about them; say puts phrases into words; siblings and plausible
// tell what is likely; whole reads what a model wrote; slots and methods have names that other
// packages use too.
package negatives
