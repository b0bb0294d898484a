// Package report makes one HTML page that shows whether a folder can be
// trusted: where rows went, graphs drawn over their captions, positives beside
// their negatives, and what is out of the ordinary first. It looks at a random
// sample of rows, whose size does not grow with the folder, and at the totals
// in the manifest entries.
package report
