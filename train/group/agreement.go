package group

import (
	"fmt"
	"net"
	"strconv"
)

// Term is a setting that all processes must agree on, such as the hash of the recipe.
type Term struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// greeting is the message with which a rank describes itself when it connects.
type greeting struct {
	World int    `json:"world"`
	Rank  int    `json:"rank"`
	Port  int    `json:"port"` // the port on which it listens for higher ranks
	Terms []Term `json:"terms"`
}

// peerList is the reply to a greeting. Rank 0 sends it when all processes have connected, other
// ranks immediately.
type peerList struct {
	// Peers has the host:port of each rank, if rank 0 sends it. An empty host is the host of rank
	// 0, whose address each rank knows.
	Peers []string `json:"peers"`
}

func portOf(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

// checkAgreement returns an error that names the first difference between a rank and rank 0.
func checkAgreement(zero, other greeting) error {
	differ := func(name string, zero, other any, rank int) error {
		return &RankError{rank, fmt.Errorf("its %s is %v, and that of rank 0 is %v: start all processes with the same", name, other, zero)}
	}
	if zero.World != other.World {
		return differ("number of processes", zero.World, other.World, other.Rank)
	}
	a, b := termValues(zero.Terms), termValues(other.Terms)
	for _, t := range append(zero.Terms[:len(zero.Terms):len(zero.Terms)], other.Terms...) {
		if a[t.Name] != b[t.Name] {
			return differ(t.Name, strconv.Quote(a[t.Name]), strconv.Quote(b[t.Name]), other.Rank)
		}
	}
	return nil
}

func termValues(terms []Term) map[string]string {
	v := map[string]string{}
	for _, t := range terms {
		v[t.Name] = t.Value
	}
	return v
}
