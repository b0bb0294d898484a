// Package methods has the ways of making negatives, by their names.
package methods
