package objectstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"syscall"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"
	"gocloud.dev/gcerrors"
	"google.golang.org/api/googleapi"

	"capgraph/internal/direct"
	"capgraph/internal/redact"
)

// Error is what an object store, or the way to it, answered. Its text has no
// credentials: neither addresses with their queries nor headers.
type Error struct {
	op, name, cause, remedy string
	is                      error
	ofObject                bool
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %s (%s)", e.op, e.name, e.cause, e.remedy)
}

// Unwrap is fs.ErrNotExist, fs.ErrPermission, the error of a context or an error
// number, where the cause is one.
func (e *Error) Unwrap() error { return e.is }

// OfMachine tells that not the object is at fault but the store, the network or the
// credentials: another object would have met it too.
func (e *Error) OfMachine() bool { return !e.ofObject }

// errChanged is the cause of a read of an object that is another since it was opened.
var errChanged = errors.New("the object is another than when it was opened")

// explain says of an error of an SDK what was done to which object and the remedy.
func explain(op, name string, err error) error {
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
	e := &Error{op: op, name: name, cause: cause(err), remedy: "see that the store is there and run again; what is finished is kept"}
	status, code := answer(err)
	var redirect *direct.Redirect
	switch {
	case errors.Is(err, errChanged):
		e.cause, e.remedy, e.ofObject = errChanged.Error(), "nothing may write to it meanwhile: run again", true
	case errors.As(err, &redirect), status/100 == 3 && status != http.StatusNotModified:
		e.remedy = "name the address and the region of the store itself: docs/stores.md"
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
		e.remedy = "name them as the SDK of the cloud finds them: docs/stores.md"
	}
	var number syscall.Errno
	if e.is == nil && errors.As(err, &number) {
		e.is = number
	}
	return e
}

// answer is the status and the code of an answer of a store; 0 and empty where there
// was none.
func answer(err error) (status int, code string) {
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

// isUnreachable tells that no server answered.
func isUnreachable(err error) bool {
	var dial *net.OpError
	var dns *net.DNSError
	return errors.As(err, &dial) || errors.As(err, &dns)
}

// cause is an error of an SDK in a line, without addresses.
func cause(err error) string {
	var api smithy.APIError
	var azure *azcore.ResponseError
	var google *googleapi.Error
	var address *url.Error
	var redirect *direct.Redirect
	status, code := answer(err)
	switch {
	case errors.As(err, &redirect):
		return scrub(redirect.Error())
	case errors.As(err, &api):
		return scrub(fmt.Sprintf("%s: %s", code, api.ErrorMessage()))
	case errors.As(err, &azure):
		return scrub(fmt.Sprintf("%d %s", status, code))
	case errors.As(err, &google):
		return scrub(fmt.Sprintf("%d %s", status, google.Message))
	case errors.As(err, &address):
		return scrub(address.Err.Error())
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return scrub(err.Error())
}

// query is the part of an address in which signatures stand.
var query = regexp.MustCompile(`\?[^\s"']*`)

// secrets are the variables of which no value is printed.
var secrets = []string{"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN", "AZURE_STORAGE_CONNECTION_STRING", "AZURE_CLIENT_SECRET"}

// scrub makes one line of a text and takes out what may be a secret.
func scrub(text string) string {
	for _, name := range secrets {
		if value := os.Getenv(name); len(value) > 3 {
			text = strings.ReplaceAll(text, value, "…")
		}
	}
	if key := os.Getenv("GOOGLE_APPLICATION_CREDENTIALS"); strings.Contains(key, "{") { // the key itself for the path of its file
		text = strings.ReplaceAll(text, key, "…")
	}
	text = strings.Join(strings.Fields(redact.Text(query.ReplaceAllString(text, "?…"))), " ")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	return strings.TrimRight(text, ".: ")
}
