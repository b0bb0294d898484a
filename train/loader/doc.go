// Package loader joins texts/ with images and returns the batches of a training in the order of
// docs/format.md. The order depends on the seed, the epoch and the corpora, not on the number of
// workers or processes.
//
// The images of an epoch are the corpora's shards in a drawn order, cut into windows of a fixed
// number of images that are shuffled as well (order.go). The texts of one window are in memory. One
// goroutine reads windows and lays out batches ahead of the step (feeder.go). Workers draw the
// texts of each image, and read and decode the images that are their process's share (worker.go).
// [Loader.Next] gives the batches in order.
//
// A missing or broken image stays in its batch with an error, so that all processes have the same
// batch; the training leaves it out. Failures of the machine and damaged texts end the loading.
package loader
