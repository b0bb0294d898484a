package metrics

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"capgraph/internal/progress"
)

func record(step int) Record {
	return Record{Step: step, Epoch: step / 10, Samples: int64(64 * step), Seconds: 0.5 * float64(step),
		Values: []Value{{Loss, 1 / float64(step)}, {"clip/i2t", 2}, {"lr", 1e-5}}}
}

// told writes steps from+1 to to after opening the folder at from.
func told(t *testing.T, dir string, from, to int) {
	t.Helper()
	l, err := Open(dir, from)
	if err != nil {
		t.Fatal(err)
	}
	for step := from + 1; step <= to; step++ {
		if err := l.Write(record(step)); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestALineAStep(t *testing.T) {
	dir := t.TempDir()
	told(t, dir, 0, 2)
	want := `{"step":1,"epoch":0,"samples":64,"seconds":0.5,"loss":1,"clip/i2t":2,"lr":1e-05}
{"step":2,"epoch":0,"samples":128,"seconds":1,"loss":0.5,"clip/i2t":2,"lr":1e-05}
`
	if got := read(t, filepath.Join(dir, "metrics.jsonl")); got != want {
		t.Errorf("got %s", got)
	}
}

func TestNumbersWithoutAFormAreNull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.jsonl")
	l, err := OpenLines(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := Record{Step: 1, Values: []Value{{"a \"b\"\n", math.NaN()}, {"c", math.Inf(1)}, {"d", math.MaxFloat64}, {"é", 0}}}
	if err := l.Write(r); err != nil {
		t.Fatal(err)
	}
	l.Close()
	var got map[string]any
	if err := json.Unmarshal([]byte(read(t, path)), &got); err != nil {
		t.Fatal(err)
	}
	if got["a \"b\"\n"] != nil || got["c"] != nil || got["d"] != math.MaxFloat64 || got["é"] != 0. || len(got) != 8 {
		t.Errorf("got %v", got)
	}
}

// TestAResumedRunGoesOn writes the same lines as one that was not stopped, and
// cuts off what the stopped one told after its checkpoint.
func TestAResumedRunGoesOn(t *testing.T) {
	straight, stopped := t.TempDir(), t.TempDir()
	told(t, straight, 0, 30)
	told(t, stopped, 0, 17)
	path := filepath.Join(stopped, "metrics.jsonl")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"step":18,"epo`) // killed in the middle of a line
	f.Close()
	told(t, stopped, 10, 30)
	if got := read(t, path); got != read(t, filepath.Join(straight, "metrics.jsonl")) {
		t.Errorf("got %s", got)
	}
	told(t, stopped, 30, 30)
	if got := read(t, path); got != read(t, filepath.Join(straight, "metrics.jsonl")) {
		t.Errorf("resumed at the end: %s", got)
	}
	told(t, stopped, 0, 1)
	if got := read(t, path); strings.Count(got, "\n") != 1 {
		t.Errorf("begun anew: %s", got)
	}
}

// TestAnEvaluationIsWrittenOnce measures the last step again, as a training does that is finished, and
// then differently.
func TestAnEvaluationIsWrittenOnce(t *testing.T) {
	dir := t.TempDir()
	told(t, dir, 0, 3)
	evaluation := Record{Step: 3, Samples: 192, Seconds: 1.5, Values: []Value{{"eval/parts accuracy", 0.5}}}
	write := func() {
		t.Helper()
		l, err := Open(dir, 3)
		if err == nil {
			err = errors.Join(l.Write(evaluation), l.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{4, 4, 4} {
		write()
		if got := strings.Count(read(t, filepath.Join(dir, "metrics.jsonl")), "\n"); got != want {
			t.Errorf("%d lines, not %d", got, want)
		}
	}
	evaluation.Values[0].Number = 0.75
	write()
	if got := read(t, filepath.Join(dir, "metrics.jsonl")); !strings.HasSuffix(got, ":0.75}\n") || strings.Count(got, "\n") != 5 {
		t.Errorf("got %s", got)
	}
}

func TestMetricsOfOthersStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.jsonl")
	for _, text := range []string{"step,loss\n1,2\n", "{\"step\":1}\n{\"loss\":2}\n", strings.Repeat("x", maxLine+1) + "\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenLines(path, 5); err == nil || !strings.Contains(err.Error(), "m.jsonl: line ") {
			t.Errorf("%.20q: %v", text, err)
		}
		if read(t, path) != text {
			t.Errorf("%.20q was changed", text)
		}
	}
}

// TestRecordsAreFramed reads a TFRecord back, and a checksum that RFC 3720 has.
func TestRecordsAreFramed(t *testing.T) {
	zeros := maskedCRC(make([]byte, 32)) - 0xa282ead8
	if got := zeros<<15 | zeros>>17; got != 0x8a9136aa {
		t.Errorf("checksum %x", got)
	}
	dir := t.TempDir()
	told(t, dir, 0, 1)
	names, _ := filepath.Glob(filepath.Join(dir, "tensorboard", "events.out.tfevents.*"))
	if len(names) != 1 {
		t.Fatalf("files %v", names)
	}
	data := []byte(read(t, names[0]))
	records := 0
	for len(data) > 0 {
		n := binary.LittleEndian.Uint64(data)
		if binary.LittleEndian.Uint32(data[8:]) != maskedCRC(data[:8]) || binary.LittleEndian.Uint32(data[12+n:]) != maskedCRC(data[12:12+n]) {
			t.Fatal("a checksum is wrong")
		}
		data = data[16+n:]
		records++
	}
	if records != 2 {
		t.Errorf("%d records", records)
	}
}

// TestTensorBoardReadsThem asks the real one, after a run that was resumed.
func TestTensorBoardReadsThem(t *testing.T) {
	interpreter := python(t)
	dir := t.TempDir()
	told(t, dir, 0, 17)
	told(t, dir, 10, 20)
	out, err := exec.Command(interpreter, "testdata/scalars.py", filepath.Join(dir, "tensorboard")).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var got map[string][][2]float64
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string][][2]float64{}
	for step := 1; step <= 20; step++ {
		for _, v := range record(step).Values {
			want[v.Name] = append(want[v.Name], [2]float64{float64(step), float64(float32(v.Number))})
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	told(t, dir, 0, 1)
	if names, _ := filepath.Glob(filepath.Join(dir, "tensorboard", "*")); len(names) != 1 {
		t.Errorf("begun anew, there are %v", names)
	}
}

// python is an interpreter with TensorBoard, or skips the test.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CAPGRAPH_PYTHON"), "python3"} {
		if name != "" && exec.Command(name, "-c", "import tensorboard").Run() == nil {
			return name
		}
	}
	t.Skip("no Python with the package tensorboard: name one in CAPGRAPH_PYTHON")
	return ""
}

func TestProgressTellsRateAndTerms(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, progress.Plain, 10, 640, 1250)
	p.Write(record(20))
	p.Stop()
	for _, want := range []string{"train  20 of 1,250 steps  0 images/s", "  loss 0.05  clip/i2t 2  0s"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q lacks %q", out.String(), want)
		}
	}
	out.Reset()
	p = NewProgress(&out, progress.Plain, 10, 640, 1250)
	for range 2 {
		r := record(20)
		r.Pace = Pace{Images: 64, Computed: 100 * time.Millisecond, Waited: 28 * time.Millisecond, LoaderTook: 128 * time.Millisecond}
		p.Write(r)
	}
	p.Stop()
	if want := "  500 images/s (steps 640, loader 500: steps wait for images)  loss"; !strings.Contains(out.String(), want) {
		t.Errorf("%q lacks %q", out.String(), want)
	}
	out.Reset()
	p = NewProgress(&out, progress.JSON, 0, 0, 5)
	p.Write(record(5))
	p.Stop()
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil || line["step"] != 5. || line["steps"] != 5. || line["loss"] != 0.2 || line["done"] != true {
		t.Errorf("%v, %v", line, err)
	}
	out.Reset()
	NewProgress(&out, progress.None, 0, 0, 5).Stop()
	if out.Len() > 0 {
		t.Errorf("none shows %s", &out)
	}
}

func FuzzEndOf(f *testing.F) {
	f.Add("{\"step\":1}\n{\"step\":3}\n", 2)
	f.Add("{\"step\":1e9}\n", 5)
	f.Add("\n\x00", 1)
	f.Fuzz(func(t *testing.T, text string, after int) {
		end, last, err := findEnd(strings.NewReader(text), after)
		if err == nil && (end < 0 || end > int64(len(text)) || end > 0 && text[end-1] != '\n' || !strings.HasSuffix(text[:end], string(last))) {
			t.Error(fmt.Sprint(end), string(last))
		}
	})
}
