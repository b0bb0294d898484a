package ptx

import (
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

func sources(t *testing.T) *Sources {
	s, err := ReadSources("../..")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheModuleIsOfTheSources(t *testing.T) {
	s := sources(t)
	if !strings.HasPrefix(module, s.Header()) {
		t.Errorf("the sources have changed: go run ./kernels/cuda/ptx/build\nmodule:  %.120s\nsources: %s", module, s.Header())
	}
	want, err := s.Signatures()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(signatures, want) {
		t.Error("the signatures have changed: go run ./kernels/cuda/ptx/build")
	}
	if m := Module(); !strings.HasSuffix(m, "\n\x00") || !strings.Contains(m, "\n.version 7.8\n.target sm_80\n") {
		t.Errorf("the module ends or begins with something else: %.200q", m)
	}
}

func TestTheModuleIsMadeAgain(t *testing.T) {
	if _, err := exec.LookPath(Compiler); err != nil {
		t.Skipf("no %s: apt-get install %s", Compiler, Compiler)
	}
	made, err := sources(t).Compile()
	if err != nil {
		t.Fatal(err)
	}
	if string(made) != module {
		t.Error("the compiler makes another module of the sources: go run ./kernels/cuda/ptx/build")
	}
}

// What the driver is handed is what the module takes: as many arguments, of the
// same sizes, in the same order.
func TestSignaturesAreThoseOfTheModule(t *testing.T) {
	all, err := Kernels()
	if err != nil {
		t.Fatal(err)
	}
	entry := regexp.MustCompile(`(?s)\.visible \.entry (\w+)\((.*?)\n\)`)
	words := regexp.MustCompile(`\.param \.(\w+)`)
	found := entry.FindAllStringSubmatch(module, -1)
	if len(found) != len(all) || len(all) < 40 {
		t.Errorf("%d kernels in the module, %d signatures", len(found), len(all))
	}
	for _, f := range found {
		var got, want []string
		for _, w := range words.FindAllStringSubmatch(f[2], -1) {
			got = append(got, w[1])
		}
		for _, p := range all[f[1]].Parameters {
			switch {
			case p.IsPointer():
				want = append(want, "u64")
			case p.Type == "int":
				want = append(want, "u32")
			default:
				want = append(want, "f32")
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s takes %v, and is launched with %v", f[1], got, want)
		}
	}
}

func TestLaunches(t *testing.T) {
	all, err := Kernels()
	if err != nil {
		t.Fatal(err)
	}
	l, err := all["capgraph_fill"].Launch(uint64(1<<40), -0.5, 257)
	if err != nil || l.Grid != [3]uint32{2, 1, 1} || l.IsEmpty() {
		t.Errorf("%+v, %v", l, err)
	}
	if l.Arguments[0] != 1<<40 || l.Arguments[1] != 0xbf000000 || l.Arguments[2] != 257 {
		t.Errorf("arguments %x", l.Arguments)
	}
	l, err = all["capgraph_groups_add"].Launch(uint64(0), uint64(0), uint64(0), uint64(0), uint64(0), uint64(0), 2, 33)
	if err != nil || l.Grid != [3]uint32{2, 2, 1} {
		t.Errorf("%+v, %v", l, err)
	}
	l, err = all["capgraph_fill"].Launch(uint64(0), 0.0, 0)
	if err != nil || !l.IsEmpty() {
		t.Errorf("%+v, %v", l, err)
	}
	l, err = all["capgraph_parts_sum"].Launch(uint64(0), uint64(0), 1.0, 0, true)
	if err != nil || l.IsEmpty() || l.Arguments[4] != 1 {
		t.Errorf("a sum of nothing is 0, not nothing: %+v, %v", l, err)
	}
	for want, values := range map[string][]any{
		"takes 3 arguments, not 2":                       {uint64(0), 0.0},
		"capgraph_fill: y: a int is no float*":           {0, 0.0, 1},
		"capgraph_fill: a: a int is no float":            {uint64(0), 0, 1},
		"capgraph_fill: n: a float64 is no int":          {uint64(0), 0.0, 1.0},
		"capgraph_fill: n: 4294967296 has more than 31":  {uint64(0), 0.0, 1 << 32},
		"capgraph_fill: n: 2147483648 has more than 31 ": {uint64(0), 0.0, 1 << 31},
	} {
		if _, err := all["capgraph_fill"].Launch(values...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, not %q", values, err, want)
		}
	}
	_, err = all["capgraph_linear_backward"].Launch(uint64(0), uint64(0), uint64(0), uint64(0), uint64(0), 0, uint64(0), 1<<24, 1)
	if err == nil || !strings.Contains(err.Error(), "needs 131072 blocks, of at most 65535: make the batch") {
		t.Errorf("a grid that no card takes: %v", err)
	}
}

func TestKernelsThatAreNotWrittenAsTheyShouldBe(t *testing.T) {
	kernel := func(grid, parameters string) string {
		return grid + "\nextern \"C\" __global__ void capgraph_x(" + parameters + ") {\n}\n"
	}
	for _, c := range []struct{ source, want string }{
		{kernel("// what it does", "int n"), "capgraph_x: the line above does not say its grid"},
		{kernel("// grid: m/256", "int n"), "m is no int argument"},
		{kernel("// grid: y", "float *y"), "y is no int argument"},
		{kernel("// grid: n/0", "int n"), "divided by no number"},
		{kernel("// grid: n", "double n"), `"double n" is not one of the arguments`},
		{"__global__ void capgraph_x(int n) {\n}\n", "0 of 1 kernels are written"},
	} {
		if _, err := Parse(c.source); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, not %q", c.source, err, c.want)
		}
	}
	got, err := Parse(kernel("// grid: n*3*m/256, 7", "const  float *x,\n    int n, int m"))
	if err != nil || len(got) != 1 || got[0].Parameters[0] != (Parameter{"x", "const float*"}) || got[0].Grid[0].Times != 3 || got[0].Grid[1].Times != 7 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := Parse("// nothing\n"); err != nil || len(got) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAFolderWithoutKernels(t *testing.T) {
	if _, err := ReadSources(t.TempDir()); err == nil || !strings.Contains(err.Error(), "has no .cu files") {
		t.Error(err)
	}
}
