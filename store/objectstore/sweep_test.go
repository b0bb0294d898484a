//go:build stores

package objectstore

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"capgraph/testing/storetest"
)

// TestDeadUploadsAreAborted begins uploads in parts and leaves them: they go once
// nothing was added to them for long enough, and none elsewhere.
func TestDeadUploadsAreAborted(t *testing.T) {
	storetest.S3(t)
	ctx, bucket := context.Background(), "captions"
	c, err := openS3(ctx, bucket, Settings{}, &counter{})
	if err != nil {
		t.Fatal(err)
	}
	var api *s3.Client
	if !c.As(&api) {
		t.Fatal("no client")
	}
	for _, key := range []string{"dir/x", "dir/xy", "dir/below/x", "z"} {
		up, err := api.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: &bucket, Key: &key})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := api.UploadPart(ctx, &s3.UploadPartInput{Bucket: &bucket, Key: &key, UploadId: up.UploadId, PartNumber: aws.Int32(1), Body: strings.NewReader("x")}); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		key  string
		idle time.Duration
		want int
	}{
		{"dir/", time.Hour, 0},
		{"dir/x", 0, 1},
		{"dir/", 0, 1},
		{"dir/", 0, 0},
		{"", 0, 1},
		{"dir/below/", 0, 1},
	} {
		if n, err := s3Sweep(ctx, api, bucket, step.key, step.idle); n != step.want || err != nil {
			t.Errorf("%q, %v: %d aborted, %v; want %d", step.key, step.idle, n, err, step.want)
		}
	}
}
