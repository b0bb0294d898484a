package cutest

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/cpu"

	"capgraph/kernels/cuda/ptx"
)

// hostFiles has the headers with which the kernels are compiled for the CPU.
//
//go:embed host
var hostFiles embed.FS

// ErrNoCompiler is returned on a machine without a C++ compiler.
var ErrNoCompiler = errors.New("no C++ compiler: install g++ or clang++, or name one in CXX")

// findCompiler returns the name of a C++ compiler.
func findCompiler() (string, error) {
	for _, name := range []string{os.Getenv("CXX"), "g++", "clang++", "c++"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path, nil
		}
	}
	return "", ErrNoCompiler
}

// compileKernels compiles the kernels in a folder to a library in the folder to and returns its
// path.
func compileKernels(kernels, to string) (string, error) {
	cxx, err := findCompiler()
	if err != nil {
		return "", err
	}
	if kernels, err = filepath.Abs(kernels); err != nil {
		return "", err
	}
	sources, err := ptx.ReadSources(kernels)
	if err != nil {
		return "", err
	}
	whole, err := callableSource(sources)
	if err != nil {
		return "", err
	}
	if err := os.CopyFS(to, hostFiles); err != nil {
		return "", err
	}
	host := filepath.Join(to, "host")
	common := []string{"-std=c++17", "-fPIC", "-ffp-contract=off", "-Wall", "-Werror", "-I", kernels}
	if cpu.X86.HasFMA { // without it, each fused multiply-add is a call
		common = append(common, "-mfma")
	}
	// The sanitizer turns each memory access into a call, which checks it.
	watched := append([]string{"-c", "-O1", "-fsanitize=thread", "-Wno-unused-function", "-DHOST_DEVICE=\"device.h\"", "-I", host, "-x", "c++", "-", "-o", filepath.Join(to, "kernels.o")}, common...)
	plain := append([]string{"-shared", "-O2", "-o", filepath.Join(to, "kernels.so"), filepath.Join(to, "kernels.o"),
		filepath.Join(host, "launch.cpp"), filepath.Join(host, "memory.cpp"), filepath.Join(host, "fibre.cpp")}, common...)
	for _, arguments := range [][]string{watched, plain} {
		command := exec.Command(cxx, arguments...)
		command.Stdin = strings.NewReader(whole)
		if out, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", command, err, out)
		}
	}
	return filepath.Join(to, "kernels.so"), nil
}

// callableSource returns the source of all kernels with a wrapper for each, which takes its
// arguments as cuLaunchKernel does: as addresses of values.
func callableSource(sources *ptx.Sources) (string, error) {
	kernels, err := sources.Kernels()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(sources.Combined())
	for _, k := range kernels {
		arguments := make([]string, len(k.Parameters))
		for i, p := range k.Parameters {
			arguments[i] = fmt.Sprintf("*(%s *)a[%d]", p.Type, i)
		}
		fmt.Fprintf(&b, "extern \"C\" __attribute__((no_sanitize(\"thread\"))) void call_%s(void **a) { %s(%s); }\n", k.Name, k.Name, strings.Join(arguments, ", "))
	}
	return b.String(), nil
}
