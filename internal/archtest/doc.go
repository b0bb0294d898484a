// Package archtest holds the shape of the module as tests: which package may
// import which, how long a file may be, and what names and clocks it does
// without. Its rules are the tables at the head of each test file.
package archtest
