// Package loader joins texts/ with images and gives the batches of a training,
// in the order of docs/format.md: a function of the seed, the epoch and the
// corpora, whatever the number of workers and of processes.
//
// The images of an epoch are a list of corpora's shards, permuted, and cut into
// windows of so many images, each permuted as well (order.go). The texts of one
// window are in memory. One goroutine reads windows and lays out batches ahead of
// the step (feeder.go); workers draw the texts of each image (draw.go), and read
// and decode those images that are their process' share (worker.go). Next gives the
// batches in order.
//
// An image that is missing or broken stays in its batch with what is wrong, so
// that all processes agree on the batch; the training leaves it out. What is the
// machine's fault ends the loading, as damaged texts do.
package loader
