// Package slots has what a proposer of replacements is asked: places in a graph or a
// caption, each to be filled with something else, and candidates for them.
package slots
