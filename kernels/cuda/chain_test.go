//go:build cuda && !gorgonia && linux && (amd64 || arm64)

package cuda

import (
	"slices"
	"strings"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/selfcheck"
	"capgraph/testing/cudastub"
	"capgraph/testing/cutest"
)

// newChain is the stub of the driver, whose launches compute: all that is between an
// operation and a card is as it is with one.
func newChain(t *testing.T) *cudastub.Stub {
	s := cudastub.Build(t)
	s.Compute(t, newFakeCard(t).machine, cutest.Forward)
	return s
}

// small are cases that are soon done.
func small() []selfcheck.Case {
	var some []selfcheck.Case
	for _, c := range selfcheck.Cases() {
		if !c.Large && (len(some) == 0 || some[len(some)-1].Operation != c.Operation || strings.Contains(c.Name, "activation 1 with bias and residual")) {
			some = append(some, c)
		}
	}
	return some
}

func TestDoctor(t *testing.T) {
	s := newChain(t)
	var out strings.Builder
	if err := runDoctor(&out, []string{s.Folder}, 0, small()); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	for _, want := range []string{
		s.Folder, "of CUDA 12.4", "cuda:0      Stub 0, 1.1 GB, compute capability 9.0, 132 multiprocessors", "cuda:1      Stub 1",
		"libcublasLt.so.12, 12.4", "libnccl.so.2, 2.27", "linear", "AdamW", "\nbf16 ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if left := s.Memory(); len(left) > 0 {
		t.Errorf("%d pieces of memory are left", len(left))
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	s := newChain(t)
	// A layer norm is a kernel of its own; a linear layer may be cuBLASLt's alone.
	norm := slices.DeleteFunc(small(), func(c selfcheck.Case) bool { return c.Operation != "layer norm" })[:1]
	for _, c := range []struct {
		name    string
		set     func()
		ordinal int
		want    string
	}{
		{"no such card", func() {}, 7, "there is no cuda:7: 2 cards are seen"},
		{"an old card", func() {}, 1, "cuda:1 is a Stub 1 of compute capability 7.0: capgraph needs 8.0 (A100) or newer"},
		{"no card", func() { s.SetDevices(0) }, 0, "no card is seen"},
		{"no memory", func() { s.SetDevices(2); s.SetRoom(16 << 20) }, 0, "out of memory: 0.03 GB more were asked for"},
		{"a kernel that fails", func() { s.SetRoom(1 << 30); s.FailCall("cuLaunchKernel", 700) }, 0, "results are wrong on this card"},
	} {
		c.set()
		var out strings.Builder
		if err := runDoctor(&out, []string{s.Folder}, c.ordinal, norm); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %s\n%s", c.name, err, c.want, out.String())
		}
	}
}

// BenchmarkLaunch is what the host does for one launch, but for the driver's own part.
func BenchmarkLaunch(b *testing.B) {
	s := cudastub.Build(b)
	b.Setenv("LD_LIBRARY_PATH", s.Folder)
	d, err := Open(0, BFloat16)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	y := kernels.Tensor{Rows: 300, Cols: 70, Memory: d.Alloc(21000)}
	b.ReportAllocs()
	for b.Loop() {
		d.LayerNorm(y, y, y, y, y, 1e-5)
	}
	if d.Err() != nil {
		b.Fatal(d.Err())
	}
}

// A card alone is a group of one: what it exchanges stays, and the streams follow each
// other.
func TestACardExchanges(t *testing.T) {
	s := cudastub.Build(t)
	t.Setenv("LD_LIBRARY_PATH", s.Folder)
	d, err := Open(0, BFloat16)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.JoinCollective(make([]byte, 128), 0, 1); err == nil {
		t.Error("a group is joined that was not opened")
	}
	id, err := d.OpenCollective()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.JoinCollective(id, 0, 1); err != nil {
		t.Fatal(err)
	}
	y := kernels.Tensor{Rows: 1, Cols: 3, Memory: d.Alloc(3)}
	d.Write(y, []float64{1, 2, 3})
	s.ForgetCalls()
	d.StartAllReduce(y)
	d.AllGather([]kernels.Tensor{y})
	d.WaitAllReduce()
	if want := "cuEventRecord\ncuStreamWaitEvent 0\ncuEventRecord\ncuStreamWaitEvent 0\n"; s.Log() != want {
		t.Errorf("the driver was asked\n%s", s.Log())
	}
	got := make([]float64, 3)
	if d.Read(got, y); !slices.Equal(got, []float64{1, 2, 3}) || d.Err() != nil {
		t.Errorf("%v, %v", got, d.Err())
	}
	s.SetRefuse(1)
	if d.WaitAllReduce(); d.Err() == nil || !strings.Contains(d.Err().Error(), "another process failed") {
		t.Error(d.Err())
	}
	s.SetRefuse(0)
	if err := d.Close(); err != nil || len(s.Memory()) > 0 {
		t.Errorf("%v, %d pieces of memory are left", err, len(s.Memory()))
	}
}
