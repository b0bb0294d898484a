// Package licences embeds the licences of the modules that the program is linked with.
package licences

import "embed"

// Modules has the licences of Go and of the linked modules, one folder per module below
// third_party, as .ci/licences writes them.
//
//go:embed all:third_party
var Modules embed.FS
