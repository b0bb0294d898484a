//go:build stores

package objectstore

import (
	"context"
	"fmt"
	"os"
	"strings"

	"gocloud.dev/blob"
)

// cloud is a bucket with the functions that differ between clouds.
type cloud struct {
	*blob.Bucket
	// version returns what identifies the version of an object: its ETag or generation. It is empty if
	// the store has neither.
	version func(r *blob.Reader) string
	// pin returns an option that makes a read fail unless the object has that version.
	pin func(version string) func(as func(any) bool) error
	// multipart uploads an object in parts on the condition that there is none of that name. The probe
	// uses it: if a store ignores the condition, it returns nil. If multipart is nil, the SDK uploads
	// partSize bytes and more in parts.
	multipart func(ctx context.Context, key string) error
	partSize  int
	// sweep aborts unfinished multipart uploads: of key, or in the folder if key ends in a slash or is
	// empty. It is nil if the cloud removes them by itself.
	sweep func(ctx context.Context, key string) (int, error)
}

// addresses are the environment variables with the address of a store, by scheme.
var addresses = map[string][]string{
	schemeS3:    {"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"},
	schemeGCS:   {"STORAGE_EMULATOR_HOST"},
	schemeAzure: {"AZURE_STORAGE_DOMAIN", "AZURE_STORAGE_PROTOCOL"},
}

// openCloud opens a bucket with these settings and the credentials that the SDK finds.
func openCloud(ctx context.Context, scheme, name string, s Settings, count *counter) (cloud, error) {
	for _, variable := range addresses[scheme] {
		if strings.Contains(os.Getenv(variable), "@") {
			return cloud{}, fmt.Errorf("%s holds credentials, which do not belong in an address: set the variables that the SDK takes them from", variable)
		}
	}
	switch scheme {
	case schemeS3:
		return openS3(ctx, name, s, count)
	case schemeGCS:
		return openGCS(ctx, name, count)
	default:
		return openAzure(ctx, name, count)
	}
}
