package group

import (
	"fmt"
	"net"
	"strconv"
)

// Term is something that all processes have to agree on, such as the recipe and a
// hash of it.
type Term struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// greeting is what a rank says of itself when it connects.
type greeting struct {
	World int    `json:"world"`
	Rank  int    `json:"rank"`
	Port  int    `json:"port"` // that it listens on, for ranks above its own
	Terms []Term `json:"terms"`
}

// invitation is what rank 0 answers once all are there, and another rank at once.
type invitation struct {
	// Peers are host:port by rank, of rank 0. A host that is missing is that of rank 0,
	// by whatever name a rank reaches it.
	Peers []string `json:"peers"`
}

func port(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

// agree says in what a rank differs from rank 0, if in anything.
func agree(zero, other greeting) error {
	differ := func(name string, zero, other any, rank int) error {
		return &RankError{rank, fmt.Errorf("its %s is %v, and that of rank 0 is %v: start all processes with the same", name, other, zero)}
	}
	if zero.World != other.World {
		return differ("number of processes", zero.World, other.World, other.Rank)
	}
	a, b := values(zero.Terms), values(other.Terms)
	for _, t := range append(zero.Terms[:len(zero.Terms):len(zero.Terms)], other.Terms...) {
		if a[t.Name] != b[t.Name] {
			return differ(t.Name, strconv.Quote(a[t.Name]), strconv.Quote(b[t.Name]), other.Rank)
		}
	}
	return nil
}

func values(terms []Term) map[string]string {
	v := map[string]string{}
	for _, t := range terms {
		v[t.Name] = t.Value
	}
	return v
}
