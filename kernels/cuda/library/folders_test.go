package library

import (
	"errors"
	"slices"
	"testing"
	"testing/fstest"
)

func TestFolders(t *testing.T) {
	file := &fstest.MapFile{}
	root := fstest.MapFS{
		"usr/local/cuda-12.4/lib64/libcublasLt.so.12":                           file,
		"venv/lib/python3.11/site-packages/nvidia/cublas/lib/libcublasLt.so.12": file,
		"venv/lib/python3.11/site-packages/nvidia/nccl/lib/libnccl.so.2":        file,
		"venv/lib/python3.11/site-packages/torch/lib/libtorch.so":               file,
		"opt/py/lib/python3.12/site-packages/nvidia/cu13/lib/libcublasLt.so.13": file,
		"first/libcublasLt.so.12":                                               file,
		"toolkit/lib64/libcublasLt.so.13":                                       file,
	}
	env := map[string]string{"CUDA_HOME": "/toolkit", "VIRTUAL_ENV": "/venv", "CONDA_PREFIX": "relative", "HOME": "/[", "CUDA_PATH": "/toolkit", "LD_LIBRARY_PATH": "/first:relative:/nowhere:"}
	p := Machine{root, func(k string) string { return env[k] }, func(string) (string, error) { return "/opt/py/bin/python3", nil }}
	want := []string{
		"/first",
		"/toolkit/lib64", "/venv/lib/python3.11/site-packages/nvidia/cublas/lib", "/venv/lib/python3.11/site-packages/nvidia/nccl/lib",
		"/opt/py/lib/python3.12/site-packages/nvidia/cu13/lib", "/usr/local/cuda-12.4/lib64",
	}
	if got := p.Folders(); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	bare := Machine{fstest.MapFS{}, func(string) string { return "" }, func(string) (string, error) { return "", errors.New("none") }}
	if got := bare.Folders(); len(got) != 0 {
		t.Errorf("a machine without CUDA has %q", got)
	}
}
