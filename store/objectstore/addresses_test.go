//go:build stores

package objectstore_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"capgraph/store"
)

// No request goes to where a store redirects: neither what is read nor what is put.
func TestStoresThatRedirect(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		var arrived atomic.Int64
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived.Add(1) }))
		defer other.Close()
		redirecting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", strings.Replace(other.URL, "//", "//user:SECRETPW@", 1)+r.URL.Path+"?sig=SECRETPW")
			w.WriteHeader(status)
		}))
		defer redirecting.Close()
		address := strings.TrimPrefix(redirecting.URL, "http://")
		for name, value := range map[string]string{
			"AWS_ENDPOINT_URL": redirecting.URL, "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "SECRETPW",
			"AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
			"STORAGE_EMULATOR_HOST":           address,
			"AZURE_STORAGE_CONNECTION_STRING": "DefaultEndpointsProtocol=http;AccountName=box;AccountKey=U0VDUkVUUFc=;BlobEndpoint=" + redirecting.URL + "/box;",
		} {
			t.Setenv(name, value)
		}
		for _, scheme := range []string{"s3", "gs", "azblob"} {
			name := scheme + "://captions/x"
			_, openErr := files(t).Open(name)
			for what, err := range map[string]error{"open": openErr, "put": store.WriteFile(files(t), name, []byte("a caption"))} {
				if err == nil {
					t.Errorf("%d, %s, %s: no error", status, scheme, what)
					continue
				}
				for _, want := range []string{redirecting.URL, "redirects to " + other.URL, "docs/scale.md"} {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%d, %s, %s: the error lacks %q: %v", status, scheme, what, want, err)
					}
				}
				if strings.Contains(err.Error(), "SECRETPW") || !store.IsEnvironmentError(err) {
					t.Errorf("%d, %s, %s: %v", status, scheme, what, err)
				}
			}
		}
		if n := arrived.Load(); n > 0 {
			t.Errorf("%d: %d requests arrived at the other server", status, n)
		}
	}
}

// An address of the environment that holds credentials is refused, and not repeated.
func TestAddressesWithCredentials(t *testing.T) {
	const secret = "SECRETPW"
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "none", "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.DevNull,
		"AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_MAX_ATTEMPTS": "1", "AZURE_STORAGE_ACCOUNT": "box", "AZURE_STORAGE_KEY": "U0VDUkVUUFc=",
	} {
		t.Setenv(name, value)
	}
	for _, c := range []struct{ variable, value, name, want string }{
		{"AWS_ENDPOINT_URL", "http://user:" + secret + "@127.0.0.1:1", "s3://captions/x", "AWS_ENDPOINT_URL holds credentials"},
		{"AWS_ENDPOINT_URL_S3", "http://us er:" + secret + "@127.0.0.1:1", "s3://captions/x", "AWS_ENDPOINT_URL_S3 holds credentials"},
		{"STORAGE_EMULATOR_HOST", "user:" + secret + "@127.0.0.1:1", "gs://captions/x", "STORAGE_EMULATOR_HOST holds credentials"},
		{"AZURE_STORAGE_DOMAIN", "user:" + secret + "@127.0.0.1:1", "azblob://captions/x", "AZURE_STORAGE_DOMAIN holds credentials"},
		{"GOOGLE_APPLICATION_CREDENTIALS", `{"private_key": "` + secret + `"}`, "gs://captions/x", "docs/scale.md"},
		{"AWS_PROFILE", "x", "s3://id:" + secret + "@captions/x", "credentials do not belong"},
		{"AWS_PROFILE", "x", "s3://id:" + secret + "/captions/x", "credentials do not belong"},
		{"AWS_PROFILE", "x", "azblob://captions?sig=" + secret + "/x", "no such name"},
	} {
		t.Run(c.variable, func(t *testing.T) {
			t.Setenv(c.variable, c.value)
			_, openErr := files(t).Open(c.name)
			for what, err := range map[string]error{"open": openErr, "put": store.WriteFile(files(t), c.name, nil)} {
				if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
}
