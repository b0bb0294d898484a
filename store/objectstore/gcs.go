//go:build stores

package objectstore

import (
	"context"
	"os"
	"strconv"

	"cloud.google.com/go/storage"
	"gocloud.dev/blob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/gcp"
	"golang.org/x/oauth2"
	"google.golang.org/api/option"

	"capgraph/internal/direct"
)

// gcsPart is the size in bytes from which on the probe of Google uploads in parts: the minimum of
// its SDK.
const gcsPart = 256 << 10

func openGCS(ctx context.Context, name string, count *counter) (cloud, error) {
	client := direct.Client(count.wrap(newTransport()))
	if os.Getenv("STORAGE_EMULATOR_HOST") == "" {
		found, err := gcp.DefaultCredentials(context.WithValue(ctx, oauth2.HTTPClient, client))
		if err != nil {
			return cloud{}, err
		}
		client = direct.Client(&oauth2.Transport{Base: client.Transport, Source: gcp.CredentialsTokenSource(found)})
	}
	api, err := storage.NewClient(ctx, option.WithHTTPClient(client), storage.WithJSONReads())
	if err != nil {
		return cloud{}, err
	}
	b, err := gcsblob.OpenBucket(ctx, nil, name, &gcsblob.Options{Client: api})
	if err != nil {
		return cloud{}, err
	}
	return cloud{
		Bucket: b,
		version: func(r *blob.Reader) string {
			var o *storage.Reader
			if !r.As(&o) || o.Attrs.Generation == 0 {
				return ""
			}
			return strconv.FormatInt(o.Attrs.Generation, 10)
		},
		pin: func(version string) func(func(any) bool) error {
			return func(as func(any) bool) error {
				var o **storage.ObjectHandle
				generation, err := strconv.ParseInt(version, 10, 64)
				if err == nil && as(&o) {
					*o = (*o).Generation(generation)
				}
				return err
			}
		},
		partSize: gcsPart,
	}, nil
}
