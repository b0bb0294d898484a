//go:build stores

package storetest

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
)

// The keys of the servers, which are not secret.
const (
	s3Key, s3Secret = "capgraph", "no-secret-at-all"
	azureAccount    = "devstoreaccount1"
	// azureKey is the public key in Azurite's documentation.
	azureKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

// S3 starts versitygw, from CAPGRAPH_VERSITYGW or the path, with one bucket, and sets the
// environment for the SDK. It returns the bucket's URL.
func S3(t testing.TB) string {
	url, _ := S3Folder(t)
	return url
}

// S3Folder starts a server as S3 does. It also returns the local folder in which the server keeps the objects
// as files.
func S3Folder(t testing.TB) (url, folder string) {
	program := findProgram(t, "CAPGRAPH_VERSITYGW", "versitygw")
	root, port := t.TempDir(), freePort(t)
	folder = filepath.Join(root, "captions")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	startServer(t, port, program, "--port", "127.0.0.1:"+port, "--access", s3Key, "--secret", s3Secret, "--quiet", "--keep-alive", "posix", root)
	setenv(t, map[string]string{
		"AWS_ENDPOINT_URL": "http://127.0.0.1:" + port, "AWS_ACCESS_KEY_ID": s3Key, "AWS_SECRET_ACCESS_KEY": s3Secret,
		"AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
	})
	return "s3://captions", folder
}

// GCS starts fake-gcs-server, from CAPGRAPH_FAKE_GCS_SERVER or the path, as S3 does.
func GCS(t testing.TB) string {
	program := findProgram(t, "CAPGRAPH_FAKE_GCS_SERVER", "fake-gcs-server")
	port := freePort(t)
	startServer(t, port, program, "-backend", "memory", "-scheme", "http", "-host", "127.0.0.1", "-port", port, "-public-host", "127.0.0.1:"+port, "-log-level", "error")
	setenv(t, map[string]string{"STORAGE_EMULATOR_HOST": "127.0.0.1:" + port})
	answer, err := http.Post("http://127.0.0.1:"+port+"/storage/v1/b?project=capgraph", "application/json", bytes.NewReader([]byte(`{"name": "captions"}`)))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatal("fake-gcs-server makes no bucket:", answer.Status)
	}
	return "gs://captions"
}

// Azure starts Azurite's azurite-blob, from CAPGRAPH_AZURITE or the path, as S3 does.
func Azure(t testing.TB) string {
	program := findProgram(t, "CAPGRAPH_AZURITE", "azurite-blob")
	port := freePort(t)
	startServer(t, port, program, "--blobHost", "127.0.0.1", "--blobPort", port, "--silent", "--skipApiVersionCheck", "--disableTelemetry", "--inMemoryPersistence")
	setenv(t, map[string]string{
		"AZURE_STORAGE_ACCOUNT": azureAccount, "AZURE_STORAGE_KEY": azureKey, "AZURE_STORAGE_DOMAIN": "127.0.0.1:" + port, "AZURE_STORAGE_PROTOCOL": "http",
	})
	shared, err := azblob.NewSharedKeyCredential(azureAccount, azureKey)
	if err != nil {
		t.Fatal(err)
	}
	c, err := azblob.NewClientWithSharedKeyCredential("http://127.0.0.1:"+port+"/"+azureAccount, shared, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreateContainer(context.Background(), "captions", nil); err != nil {
		t.Fatal("Azurite makes no container:", err)
	}
	return "azblob://captions"
}

// findProgram returns the program named by an environment variable or on the path.
func findProgram(t testing.TB, variable, name string) string {
	t.Helper()
	if program := os.Getenv(variable); program != "" {
		return program
	}
	program, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("there is no %s on the path and %s names none: .ci/run stores installs it", name, variable)
	}
	return program
}

func setenv(t testing.TB, env map[string]string) {
	for name, value := range env {
		t.Setenv(name, value)
	}
}

// freePort returns a port on which nothing listens.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// startServer runs a server until the test ends. It returns once the server listens.
func startServer(t testing.TB, port, program string, args ...string) {
	t.Helper()
	c := exec.Command(program, args...)
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() {
		c.Process.Kill()
		<-ended
	})
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			conn.Close()
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended: %v\n%s", program, err, said.String())
		default:
		}
	}
	t.Fatalf("%s does not listen", program)
}
