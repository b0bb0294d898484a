package kernels

// Collective is a device that exchanges tensors directly with the devices of other processes. All
// processes make the same calls in the same order.
type Collective interface {
	Recorder
	// OpenCollective opens the library, and returns the id of a group, which rank 0 sends to all.
	OpenCollective() (id []byte, err error)
	// JoinCollective waits until world processes have joined the group, this one as rank.
	JoinCollective(id []byte, rank, world int) error
	// AllGather sends parts to all processes: part r comes from rank r. It runs in order with all
	// other calls.
	AllGather(parts []Tensor)
	// StartAllReduce starts to sum a tensor over the processes. Later calls run meanwhile and must
	// not use the tensor.
	StartAllReduce(t Tensor)
	// WaitAllReduce makes later calls wait for all sums.
	WaitAllReduce()
}
