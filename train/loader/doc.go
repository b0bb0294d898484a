// Package loader joins texts/ with images and returns the batches of a training in the order of
// docs/format.md. The order depends on the seed, the epoch and the corpora, not on the number of
// workers or processes.
//
// In an epoch, the shards of the corpora come in a random order. Their images are split into
// windows of a fixed number of images, which are shuffled (order.go). The texts of one window are
// in memory. One goroutine reads windows and lays out batches ahead of the step (feeder.go).
// Workers draw the texts of each image, and read and decode the images of their own process
// (worker.go). [Loader.Next] gives the batches in order.
//
// A missing or broken image stays in its batch with an error, so that all processes have the same
// batch; the training leaves it out. Other errors, such as damaged texts or a failing disk, end the
// loading.
package loader
