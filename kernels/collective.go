package kernels

// Collective is a device that exchanges tensors with the devices of other processes by
// itself. All ask for the same, in the same order.
type Collective interface {
	Recorder
	// OpenCollective opens what it takes, and names a group for rank 0 to hand to all.
	OpenCollective() (id []byte, err error)
	// JoinCollective waits until world processes have joined the group, this one being
	// the rank.
	JoinCollective(id []byte, rank, world int) error
	// Share gives parts to all: part r is of rank r. It is done in order, as all else.
	Share(parts []Tensor)
	// SumBegin begins to sum a tensor over the processes, while what is asked next is
	// done, which neither reads nor writes it.
	SumBegin(t Tensor)
	// SumEnd lets what is asked from here on wait for all sums.
	SumEnd()
}
