package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

var (
	nouns      = strings.Fields("man woman dog cat bus street table horse child bike train sign tree boat car bench beach ball plate shirt")
	adjectives = strings.Fields("red blue small large old young wooden green white black tall brown")
	verbs      = strings.Fields("holding riding watching pulling painting carrying")
	places     = []string{"on", "next to", "in front of", "under", "behind"}
)

// writeCaptions writes n captions in CC12M's form. The same n gives the same bytes.
func writeCaptions(name string, n int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	state := uint64(1)
	next := func(of int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int((state >> 33) % uint64(of))
	}
	// A noun is frequent, or one of a tail that grows with the corpus.
	noun := func() string {
		if next(8) > 0 {
			return nouns[next(len(nouns))]
		}
		rare := next(n)/(1+next(1000)) + 1
		return "gadget" + strconv.FormatInt(int64(rare), 26)
	}
	for i := range n {
		fmt.Fprintf(w, "https://example.org/%d.jpg\ta %s %s %s a %s %s %s the %s %s\n", i,
			adjectives[next(len(adjectives))], noun(), verbs[next(len(verbs))], adjectives[next(len(adjectives))], noun(),
			places[next(len(places))], adjectives[next(len(adjectives))], noun())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
