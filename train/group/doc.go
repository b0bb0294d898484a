// Package group lets several processes train as one. A launcher (torchrun, Kubeflow, Slurm, Open
// MPI) starts them and sets the rank of each by environment variables. [Join] connects every
// process to every other over TCP. Their collective operations exchange numbers.
//
// The result of a Sum is the same on all ranks to the last bit, and from run to run: numbers are
// added in the order of the ranks, whatever the order of arrival.
//
// If a rank fails, leaves, or is silent for longer than the timeout, the next operation of every
// other rank returns an error that names the rank. No operation blocks for ever.
//
// Each process proves that it knows the secret of the job (CAPGRAPH_SECRET), which is not sent.
// Without a secret, whoever reaches the port and knows the name of the job may join, and many
// launchers give no name. Numbers are neither encrypted nor signed: run the processes in a private
// network, as other trainers require too.
package group
