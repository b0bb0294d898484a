package objectstore

import (
	"context"
	"fmt"
	"os"
	"strings"

	"gocloud.dev/blob"
)

// The schemes of object stores.
const (
	schemeS3    = "s3"
	schemeGCS   = "gs"
	schemeAzure = "azblob"
)

// cloud is a bucket and what the clouds do each in its own way.
type cloud struct {
	*blob.Bucket
	// version is what tells an object from another of its name: the ETag, or the
	// generation; empty where the store does not say.
	version func(r *blob.Reader) string
	// pin makes a read one of that version, and an error where there is another.
	pin func(version string) func(as func(any) bool) error
	// multipart begins and ends an upload in parts on the condition that there is no
	// object of the name, for the probe: it returns nil where that was ignored. Where
	// multipart is nil, partSize bytes and more are put in parts by the SDK.
	multipart func(ctx context.Context, key string) error
	partSize  int
	// sweep aborts dead uploads in parts: of key, or in the folder where key ends
	// with a slash or is empty. It is nil where the cloud drops them itself.
	sweep func(ctx context.Context, key string) (int, error)
}

// addresses are the variables that name the address of a store, by schemes.
var addresses = map[string][]string{
	schemeS3:    {"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"},
	schemeGCS:   {"STORAGE_EMULATOR_HOST"},
	schemeAzure: {"AZURE_STORAGE_DOMAIN", "AZURE_STORAGE_PROTOCOL"},
}

// open opens a bucket with the settings and the credentials that the SDK finds.
func open(ctx context.Context, scheme, name string, s Settings, count *counter) (cloud, error) {
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
