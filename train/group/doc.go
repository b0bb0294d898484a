// Package group lets several processes train as one. A launcher that users have
// (torchrun, Kubeflow, Slurm, Open MPI) starts them and tells each its place by
// environment variables; Join connects every one to every other over TCP, and
// their operations exchange numbers.
//
// What a Sum yields is the same on all ranks to the last bit, and from run to run:
// numbers are added in the order of the ranks, however the network delivers them.
//
// A rank that fails, leaves, or is silent for too long makes the next operation of
// every other an error that names it; none waits for ever.
//
// Each process shows that it knows the secret of the job (CAPGRAPH_SECRET), which is not sent.
// Without a secret, whoever reaches the port and knows the name of the job may join, and many
// launchers give no name. What follows is neither encrypted nor signed: the processes belong
// in a network of their own, as those of other trainers do.
package group
