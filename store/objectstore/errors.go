//go:build stores

package objectstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"
	"gocloud.dev/gcerrors"
	"google.golang.org/api/googleapi"

	"capgraph/internal/direct"
)

// explainError wraps an error of an SDK with the operation, the object and a remedy.
func explainError(op, name string, err error) error {
	if err == nil {
		return nil
	}
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s %s: %w", op, name, context.Canceled)
	}
	e := &Error{op: op, name: name, cause: shortCause(err), remedy: "see that the store is there and run again; what is finished is kept"}
	status, code := statusAndCode(err)
	var redirect *direct.Redirect
	switch {
	case errors.Is(err, errChanged):
		e.cause, e.remedy = errChanged.Error(), "nothing may write to it meanwhile: run again" // the object may be complete then
	case errors.As(err, &redirect), status/100 == 3 && status != http.StatusNotModified:
		e.remedy = "name the address and the region of the store itself: docs/scale.md"
	case code == "NoSuchBucket" || code == "ContainerNotFound":
		e.remedy, e.is = "make the bucket, or check its name and the endpoint", fs.ErrNotExist
		e.ofObject = true
	case status == http.StatusForbidden && code != "AccessDenied" && code != "Forbidden" && code != "" && !strings.HasPrefix(code, "AuthorizationPermission"):
		e.remedy, e.is = "check the credentials and the clock of this machine", fs.ErrPermission
	case status == http.StatusForbidden || status == http.StatusUnauthorized || gcerrors.Code(err) == gcerrors.PermissionDenied:
		e.remedy, e.is, e.ofObject = "see that the credentials may read, list, write and delete there", fs.ErrPermission, true
	case isNotExist(err) || gcerrors.Code(err) == gcerrors.NotFound && !isUnreachable(err):
		e.cause, e.remedy, e.is, e.ofObject = "no such object", "check the address", fs.ErrNotExist, true
	case strings.Contains(strings.ToLower(e.cause), "credential") || errors.Is(err, errNoAccount):
		e.remedy = "name them as the SDK of the cloud finds them: docs/scale.md"
	}
	var number syscall.Errno
	if e.is == nil && errors.As(err, &number) {
		e.is = number
	}
	return e
}

// statusAndCode returns the status and the error code of a store's response; 0 and "" if there was none.
func statusAndCode(err error) (status int, code string) {
	var api smithy.APIError
	if errors.As(err, &api) {
		code = api.ErrorCode()
	}
	var aws *awshttp.ResponseError
	var azure *azcore.ResponseError
	var google *googleapi.Error
	switch {
	case errors.As(err, &aws):
		status = aws.HTTPStatusCode()
	case errors.As(err, &azure):
		status, code = azure.StatusCode, azure.ErrorCode
	case errors.As(err, &google):
		status = google.Code
		if len(google.Errors) > 0 {
			code = google.Errors[0].Reason
		}
	}
	return status, code
}

// isUnreachable reports whether there was no response from a server.
func isUnreachable(err error) bool {
	var dial *net.OpError
	var dns *net.DNSError
	return errors.As(err, &dial) || errors.As(err, &dns)
}

// shortCause returns an SDK's error as one line without URLs.
func shortCause(err error) string {
	var api smithy.APIError
	var azure *azcore.ResponseError
	var google *googleapi.Error
	var address *url.Error
	var redirect *direct.Redirect
	status, code := statusAndCode(err)
	switch {
	case errors.As(err, &redirect):
		return hideSecrets(redirect.Error())
	case errors.As(err, &api):
		return hideSecrets(fmt.Sprintf("%s: %s", code, api.ErrorMessage()))
	case errors.As(err, &azure):
		return hideSecrets(fmt.Sprintf("%d %s", status, code))
	case errors.As(err, &google):
		return hideSecrets(fmt.Sprintf("%d %s", status, google.Message))
	case errors.As(err, &address):
		return hideSecrets(address.Err.Error())
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return hideSecrets(err.Error())
}
