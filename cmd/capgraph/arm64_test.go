package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"capgraph/testing/longtest"
)

// The program for arm64 makes the bytes that this one makes. AVX2 is off for
// this one, as parquet-go cuts runs elsewhere with it.
func TestSameBytesOnArm64(t *testing.T) {
	longtest.Only(t, "it builds the program for arm64")
	emulator, _ := exec.LookPath("qemu-aarch64")
	static, _ := exec.LookPath("qemu-aarch64-static")
	if emulator = cmp.Or(emulator, static); emulator == "" {
		t.Skip("needs qemu-aarch64 or qemu-aarch64-static (qemu-user-static in Debian)")
	}
	dir := workplace(t)
	built := filepath.Join(dir, "capgraph-arm64")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", built, ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	must(t, build)

	here := program(dir, "here")
	here.Env = append(os.Environ(), "GODEBUG=cpu.avx2=off")
	must(t, here)
	there := program(dir, "there")
	there.Path, there.Args = emulator, append([]string{emulator, built}, there.Args[1:]...)
	must(t, there)

	for _, out := range []string{"here", "there"} { // builds are named with their platform
		if err := os.RemoveAll(filepath.Join(dir, out, ".capgraph", "builds")); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := tree(t, filepath.Join(dir, "here"))
	got, _ := tree(t, filepath.Join(dir, "there"))
	equal(t, want, got)
}
