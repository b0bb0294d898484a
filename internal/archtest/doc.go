// Package archtest tests the structure of the module: which package may import which, how long a
// file may be, and which names and clocks are forbidden. The rules are the tables at the beginning
// of each test file.
package archtest
