//go:build !cuda || !linux || !(amd64 || arm64)

package driver

// Open tells which build has a driver.
func Open([]string) (Driver, error) {
	return nil, ErrNotBuilt
}
