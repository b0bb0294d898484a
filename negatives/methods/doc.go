// Package methods lists the methods that make negatives.
package methods
