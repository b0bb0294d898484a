package cutest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/kernels/cuda/ptx"
)

// mistaken are kernels with the mistakes that a machine is to find.
const mistaken = `
#include "device.cuh"

// grid: n/256
extern "C" __global__ void capgraph_right(float *y, const float *x, int n) {
    __shared__ float turned[BLOCK];
    turned[BLOCK - 1 - thread()] = thread() < n ? x[thread()] : 0;
    barrier();
    if (thread() < n) y[thread()] = turned[thread()];
}

// grid: n/256
extern "C" __global__ void capgraph_no_barrier(float *y, const float *x, int n) {
    __shared__ float turned[BLOCK];
    turned[BLOCK - 1 - thread()] = thread() < n ? x[thread()] : 0;
    if (thread() < n) y[thread()] = turned[thread()];
}

// grid: n/256
extern "C" __global__ void capgraph_one_place(float *y, const float *x, int n) {
    if (thread() < n) y[0] = x[thread()];
}

// grid: 2
extern "C" __global__ void capgraph_two_blocks(float *y, const float *x, int n) {
    if (thread() == 0 && n > 0) y[0] += x[0];
}

// grid: n/256
extern "C" __global__ void capgraph_too_far(float *y, const float *x, int n) {
    if (thread() < n) y[thread()] = x[thread() + 1];
}

// grid: n/256
extern "C" __global__ void capgraph_too_many(float *y, const float *x, int n) {
    if (thread() <= n) y[thread()] = n > 0 ? x[0] : 0;
}

// grid: n/256
extern "C" __global__ void capgraph_some_wait(float *y, const float *x, int n) {
    if (thread() < n) barrier();
    if (thread() == 0) y[0] = x[0];
}

// grid: n/256
extern "C" __global__ void capgraph_some_sum(float *y, const float *x, int n) {
    float v = 0;
    if (thread() < n) v = warp_sum(x[thread()]);
    if (thread() == 0) y[0] = v;
}

// grid: n/256
extern "C" __global__ void capgraph_nothing_shared(float *y, const float *x, int n) {
    __shared__ float room[BLOCK];
    if (thread() < n) y[thread()] = room[thread()] + x[0];
}
`

func TestMistakesOfKernelsAreFound(t *testing.T) {
	machine(t) // or skip
	folder := t.TempDir()
	for name, text := range map[string]string{"mistaken.cu": mistaken, "device.cuh": string(read(t, "../../kernels/device.cuh"))} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := New(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	kernels, err := ptx.Parse(mistaken)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"capgraph_right":          "",
		"capgraph_no_barrier":     "writes shared memory that another thread reads, and no barrier is between",
		"capgraph_one_place":      "thread 1 of block 0, 0 writes global memory that another thread writes",
		"capgraph_two_blocks":     "thread 0 of block 1, 0 reads global memory that another thread writes",
		"capgraph_too_far":        "thread 99 of block 0, 0 reads 4 bytes that are of no argument",
		"capgraph_too_many":       "thread 100 of block 0, 0 writes 4 bytes that are of no argument",
		"capgraph_some_wait":      "and its block: 100 of 256 threads wait, the others have ended",
		"capgraph_some_sum":       "and its warp: 4 of 32 lanes want a sum, 0 one of their half, 0 a maximum, 0 one of their half",
		"capgraph_nothing_shared": "",
	}
	for _, k := range kernels {
		d := &device{machine: m, kernels: map[string]ptx.Kernel{k.Name: k}}
		x, y := make([]float32, 100), make([]float32, 100)
		for i := range x {
			x[i] = float32(i)
		}
		mistake := d.try(strings.TrimPrefix(k.Name, "capgraph_"), y, x, len(x))
		if (mistake == "") != (want[k.Name] == "") || !strings.Contains(mistake, want[k.Name]) {
			t.Errorf("%s: %q, not %q", k.Name, mistake, want[k.Name])
		}
		if k.Name == "capgraph_right" && (y[0] != 0 || y[99] != 0) {
			t.Errorf("what was turned is %v", y)
		}
		if k.Name == "capgraph_nothing_shared" && (y[0] == y[0] || y[99] == y[99]) {
			t.Errorf("shared memory is %v when a block begins", y)
		}
	}
}

// try is what went wrong with a launch.
func (d *device) try(name string, values ...any) (mistake string) {
	defer func() {
		if err, ok := recover().(error); ok {
			mistake = err.Error()
		}
	}()
	d.run(name, values...)
	return ""
}

func read(t *testing.T, path string) []byte {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAKernelThatThereIsNot(t *testing.T) {
	m := machine(t)
	err := m.Launch(ptx.Launch{Name: "capgraph_nothing", Grid: [3]uint32{1, 1, 1}}, Forward, 0, nil)
	if err == nil || !strings.Contains(err.Error(), "there is no kernel capgraph_nothing") {
		t.Error(err)
	}
}

func TestKernelsThatDoNotCompile(t *testing.T) {
	machine(t) // or skip
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "x.cu"), []byte("int x = y;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := New(folder); err == nil || !strings.Contains(err.Error(), "x.cu:1") {
		t.Errorf("%v does not say where", err)
	}
}
