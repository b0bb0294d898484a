//go:build !stores

package storetest

import "testing"

// S3 skips the test: this build has no SDK of S3.
func S3(t testing.TB) string { return skipTest(t) }

// S3Folder skips the test, as S3 does.
func S3Folder(t testing.TB) (url, folder string) { return skipTest(t), "" }

// GCS skips the test: this build has no SDK of Google's store.
func GCS(t testing.TB) string { return skipTest(t) }

// Azure skips the test: this build has no SDK of Azure's store.
func Azure(t testing.TB) string { return skipTest(t) }

func skipTest(t testing.TB) string {
	t.Helper()
	t.Skip("object stores are tested with -tags stores: .ci/run stores")
	return ""
}
