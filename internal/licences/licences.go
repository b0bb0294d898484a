// Package licences carries the licences of what the program is linked with.
package licences

import "embed"

// Modules are the licences of Go and of its modules, one folder a module below
// third_party, as .ci/licences writes them.
//
//go:embed all:third_party
var Modules embed.FS
