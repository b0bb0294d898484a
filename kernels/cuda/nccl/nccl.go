// Package nccl exchanges memory between the cards of several processes with NVIDIA's NCCL, which it
// opens at run time. Calls run in a stream, after the stream's earlier work. Every process makes
// the same calls in the same order.
package nccl

// ID identifies a group of processes. Rank 0 creates it and sends it to all.
type ID [128]byte

// Part is an array of float32 numbers on a card.
type Part struct {
	Address uint64
	N       int
}
