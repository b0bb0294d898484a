package group

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
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
	Token string `json:"token"`
	World int    `json:"world"`
	Rank  int    `json:"rank"`
	Port  int    `json:"port"` // that it listens on, for ranks above its own
	Terms []Term `json:"terms"`
}

// invitation is what rank 0 answers once all are there.
type invitation struct {
	// Peers are host:port by rank. A host that is missing is that of rank 0, by
	// whatever name a rank reaches it.
	Peers []string `json:"peers"`
}

// token is what shows that a connection is of this job.
func token(p Place) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "capgraph %s %s", p.Job, net.JoinHostPort("", port(p.Master))))
	return hex.EncodeToString(sum[:16])
}

func port(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

// parseGreeting reads what a stranger says, which is of a rank of p where the error
// is nil.
func parseGreeting(h head, payload []byte, p Place) (greeting, error) {
	var g greeting
	if h.kind != hello || json.Unmarshal(payload, &g) != nil {
		return greeting{}, errStranger
	}
	if g.Token != token(p) {
		return greeting{}, errors.New("it is of another job")
	}
	return g, nil
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

// parseInvitation reads rank 0's answer to a rank of p.
func parseInvitation(h head, payload []byte, p Place) (invitation, error) {
	switch h.kind {
	case welcome:
		var i invitation
		if json.Unmarshal(payload, &i) == nil && len(i.Peers) == p.World {
			return i, nil
		}
	case refuse:
		var f fault
		if json.Unmarshal(payload, &f) == nil {
			return invitation{}, &RankError{f.Rank, errors.New(f.Text)}
		}
	}
	return invitation{}, errStranger
}
