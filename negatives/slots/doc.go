// Package slots defines the requests to a proposer of replacements: places in a graph or a caption,
// each to be filled with something else, and candidates for them.
package slots
