//go:build stores

package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
)

// What the SDK of a store would log is in no output: there is the error of the command alone.
func TestSDKPrintsNothing(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/latest/api/token": // so that the SDK falls back to the service's first version
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/latest/meta-data/iam/security-credentials/":
			asked.Add(1)
			w.Write([]byte("role"))
		case r.URL.Path == "/latest/meta-data/iam/security-credentials/role":
			w.Write([]byte(`{"Code":"Success","AccessKeyId":"id","SecretAccessKey":"no-secret","Token":"t","Expiration":"2100-01-01T00:00:00Z"}`))
		default:
			w.WriteHeader(http.StatusForbidden)
			w.Write([]byte(`<Error><Code>AccessDenied</Code><Message>no</Message></Error>`))
		}
	}))
	defer server.Close()
	dir := workplace(t)
	c := exec.Command("capgraph", "run", "--progress", "json", "--set", "source.paths=s3://captions/a.tsv", "--set", "output.dir=out")
	c.Dir = dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "AWS_") {
			c.Env = append(c.Env, v)
		}
	}
	c.Env = append(c.Env, "AWS_ENDPOINT_URL_S3="+server.URL, "AWS_EC2_METADATA_SERVICE_ENDPOINT="+server.URL, "AWS_CONFIG_FILE="+os.DevNull,
		"AWS_SHARED_CREDENTIALS_FILE="+os.DevNull, "AWS_REGION=us-east-1", "NO_PROXY=127.0.0.1")
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Run(); err == nil || asked.Load() == 0 {
		t.Errorf("the run ended with %v; credentials were asked for %d times", err, asked.Load())
	}
	said := errs.String()
	if strings.Contains(said, "SDK") || strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "capgraph: ") {
		t.Errorf("it says\n%s", said)
	}
}
