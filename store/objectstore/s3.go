//go:build stores

package objectstore

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go/logging"
	"gocloud.dev/blob"
	"gocloud.dev/blob/s3blob"

	"capgraph/internal/direct"
)

// s3Attempts is how often a request is tried before a run fails. The pauses double up to 20 s, so
// that a store may reply 503 SlowDown for half a minute to a minute.
const s3Attempts = 8

// uploadIdle is how long a multipart upload must be idle to count as abandoned.
const uploadIdle = time.Hour

func openS3(ctx context.Context, name string, s Settings, count *counter) (cloud, error) {
	options := []func(*config.LoadOptions) error{
		config.WithHTTPClient(awshttp.NewBuildableClient().WithTransportOptions(keepConnections)),
		config.WithLogger(logging.Nop{}), // errors say what is wrong; the SDK's own log lines are not wanted
	}
	if s.Region != "" {
		options = append(options, config.WithRegion(s.Region))
	}
	if s.Endpoint != "" {
		options = append(options, config.WithBaseEndpoint(s.Endpoint))
	}
	if os.Getenv("AWS_MAX_ATTEMPTS") == "" && os.Getenv("AWS_RETRY_MODE") == "" {
		options = append(options, config.WithRetryer(func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts, o.RateLimiter = s3Attempts, ratelimit.None
			})
		}))
	}
	c, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return cloud{}, err
	}
	c.Region = cmp.Or(c.Region, "us-east-1")
	elsewhere := cmp.Or(s.Endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), aws.ToString(c.BaseEndpoint)) != ""
	api := s3.NewFromConfig(c, func(o *s3.Options) {
		if sdk, ok := c.HTTPClient.(*awshttp.BuildableClient); ok { // this client follows some redirects
			o.HTTPClient = direct.Client(count.wrap(sdk.GetTransport()))
		}
		o.UsePathStyle = s.PathStyle == PathStyleAlways || s.PathStyle != PathStyleNever && elsewhere
	})
	b, err := s3blob.OpenBucket(ctx, api, name, &s3blob.Options{RequestChecksumCalculation: c.RequestChecksumCalculation})
	if err != nil {
		return cloud{}, err
	}
	return cloud{
		Bucket: b,
		version: func(r *blob.Reader) string {
			var o s3.GetObjectOutput
			r.As(&o)
			return aws.ToString(o.ETag)
		},
		pin: func(version string) func(func(any) bool) error {
			return func(as func(any) bool) error {
				var in *s3.GetObjectInput
				if as(&in) {
					in.IfMatch = aws.String(version)
				}
				return nil
			}
		},
		multipart: func(ctx context.Context, key string) error { return s3Multipart(ctx, api, name, key) },
		sweep:     func(ctx context.Context, key string) (int, error) { return s3Sweep(ctx, api, name, key, uploadIdle) },
	}, nil
}

// s3Multipart uploads one byte in one part on the condition that there is no object with that key.
func s3Multipart(ctx context.Context, api *s3.Client, bucket, key string) error {
	up, err := api.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: &bucket, Key: &key})
	if err != nil {
		return err
	}
	defer api.AbortMultipartUpload(context.WithoutCancel(ctx), &s3.AbortMultipartUploadInput{Bucket: &bucket, Key: &key, UploadId: up.UploadId})
	part, err := api.UploadPart(ctx, &s3.UploadPartInput{Bucket: &bucket, Key: &key, UploadId: up.UploadId, PartNumber: aws.Int32(1), Body: strings.NewReader("2")})
	if err != nil {
		return err
	}
	_, err = api.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &bucket, Key: &key, UploadId: up.UploadId, IfNoneMatch: aws.String("*"),
		MultipartUpload: &types.CompletedMultipartUpload{Parts: []types.CompletedPart{{
			ETag: part.ETag, PartNumber: aws.Int32(1), ChecksumCRC32: part.ChecksumCRC32,
		}}},
	})
	return err
}

// s3Sweep aborts multipart uploads that have been idle for at least the duration idle.
func s3Sweep(ctx context.Context, api *s3.Client, bucket, key string, idle time.Duration) (int, error) {
	in := &s3.ListMultipartUploadsInput{Bucket: &bucket, Prefix: &key}
	exact := key != "" && !strings.HasSuffix(key, "/")
	if !exact {
		in.Delimiter = aws.String("/")
	}
	aborted := 0
	pages := s3.NewListMultipartUploadsPaginator(api, in)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return aborted, ignoreUnsupported(err)
		}
		for _, up := range page.Uploads {
			if exact && aws.ToString(up.Key) != key {
				continue
			}
			if time.Since(aws.ToTime(up.Initiated)) < idle {
				continue
			}
			last, err := lastPartTime(ctx, api, bucket, up)
			if err != nil || time.Since(last) < idle {
				continue
			}
			_, err = api.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &bucket, Key: up.Key, UploadId: up.UploadId})
			if err = ignoreUnsupported(err); err != nil {
				return aborted, err
			}
			aborted++
		}
	}
	return aborted, nil
}

// lastPartTime returns when a multipart upload got its last part, or when it was begun.
func lastPartTime(ctx context.Context, api *s3.Client, bucket string, up types.MultipartUpload) (time.Time, error) {
	last := aws.ToTime(up.Initiated)
	pages := s3.NewListPartsPaginator(api, &s3.ListPartsInput{Bucket: &bucket, Key: up.Key, UploadId: up.UploadId})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return last, err
		}
		for _, p := range page.Parts {
			if at := aws.ToTime(p.LastModified); at.After(last) {
				last = at
			}
		}
	}
	return last, nil
}

// ignoreUnsupported returns nil for the errors of stores that do not support or allow a request,
// since abandoned uploads only cost space.
func ignoreUnsupported(err error) error {
	status, _ := statusAndCode(err)
	switch status {
	case http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented, http.StatusBadRequest:
		return nil
	}
	if errors.Is(err, context.Canceled) {
		return context.Canceled
	}
	return err
}
