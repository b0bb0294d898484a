//go:build stores

package objectstore

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	azureblobs "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"gocloud.dev/blob"
	"gocloud.dev/blob/azureblob"

	"capgraph/internal/direct"
)

// azurePart is the size in bytes from which on the probe of Azure uploads in parts.
const azurePart = 64 << 10

func openAzure(ctx context.Context, name string, count *counter) (cloud, error) {
	c, err := azureContainer(name, direct.Client(count.wrap(newTransport())))
	if err != nil {
		return cloud{}, err
	}
	b, err := azureblob.OpenBucket(ctx, c, nil)
	if err != nil {
		return cloud{}, err
	}
	return cloud{
		Bucket: b,
		version: func(r *blob.Reader) string {
			var o azureblobs.DownloadStreamResponse
			if !r.As(&o) || o.ETag == nil {
				return ""
			}
			return string(*o.ETag)
		},
		pin: func(version string) func(func(any) bool) error {
			return func(as func(any) bool) error {
				var o *azblob.DownloadStreamOptions
				if as(&o) {
					tag := azcore.ETag(version)
					o.AccessConditions = &azureblobs.AccessConditions{ModifiedAccessConditions: &azureblobs.ModifiedAccessConditions{IfMatch: &tag}}
				}
				return nil
			}
		},
		partSize: azurePart,
	}, nil
}

var errNoAccount = errors.New("neither AZURE_STORAGE_ACCOUNT nor AZURE_STORAGE_CONNECTION_STRING names the account")

// azureContainer returns a client of a container. It finds the account and credentials as
// gocloud.dev's azureblob does: in AZURE_STORAGE_ACCOUNT with AZURE_STORAGE_KEY or
// AZURE_STORAGE_SAS_TOKEN, in AZURE_STORAGE_CONNECTION_STRING, or through azidentity.
func azureContainer(name string, client *http.Client) (*container.Client, error) {
	options := &container.ClientOptions{ClientOptions: policy.ClientOptions{Transport: client}}
	account, key, sas := os.Getenv("AZURE_STORAGE_ACCOUNT"), os.Getenv("AZURE_STORAGE_KEY"), os.Getenv("AZURE_STORAGE_SAS_TOKEN")
	connection := cmp.Or(os.Getenv("AZURE_STORAGE_CONNECTION_STRING"), os.Getenv("AZURE_STORAGEBLOB_CONNECTIONSTRING"))
	if connection != "" && key == "" && sas == "" {
		return container.NewClientFromConnectionString(connection, name, options)
	}
	if account == "" {
		return nil, errNoAccount
	}
	service, err := azureblob.NewServiceURL(azureblob.NewDefaultServiceURLOptions())
	if err != nil {
		return nil, err
	}
	address, err := url.JoinPath(string(service), name)
	switch {
	case err != nil:
		return nil, err
	case account != "" && key != "":
		shared, err := azblob.NewSharedKeyCredential(account, key)
		if err != nil {
			return nil, err
		}
		return container.NewClientWithSharedKeyCredential(address, shared, options)
	case sas != "":
		return container.NewClientWithNoCredential(address, options)
	}
	found, err := azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{ClientOptions: options.ClientOptions})
	if err != nil {
		return nil, err
	}
	return container.NewClient(address, found, options)
}
