package kernels

// Collective is a device that exchanges tensors directly with the devices of other processes. All
// processes make the same calls in the same order.
type Collective interface {
	Recorder
	// OpenCollective opens the library, and returns the id of a new group. The id of rank 0 is sent
	// to all.
	OpenCollective() (id []byte, err error)
	// JoinCollective waits until world processes have joined the group, this one as rank.
	JoinCollective(id []byte, rank, world int) error
	// AllGather fills parts on all processes: parts[r] is sent by rank r and received by all
	// others. It runs in order with all other calls.
	AllGather(parts []Tensor)
	// StartAllReduce starts to sum a tensor over the processes, in place. Until WaitAllReduce,
	// later calls may run at the same time and must not use the tensor.
	StartAllReduce(t Tensor)
	// WaitAllReduce makes later calls wait until all started sums are done.
	WaitAllReduce()
}
