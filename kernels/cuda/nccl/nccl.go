// Package nccl exchanges memory between the cards of several processes with NVIDIA's
// NCCL, which it opens at run time. What is asked of a stream is done in it, after what
// the stream was asked before; every process asks for the same, in the same order.
package nccl

// ID names a group of processes. Rank 0 makes it and hands it to all.
type ID [128]byte

// Part is numbers of float32 on a card.
type Part struct {
	Address uint64
	N       int
}
