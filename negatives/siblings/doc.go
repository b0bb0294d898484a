// Package siblings has pairs of relations, and how often one caption of an image has the one and
// another caption the other between the same two things. They were counted in graphs and are in
// siblings.tsv.
package siblings
