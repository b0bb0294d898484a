package graphs

import (
	"bytes"
	"strings"
	"testing"
)

func TestCalibrationInParts(t *testing.T) {
	var c Calibration
	for i := range 8 { // the surer the better: 0 to 7 of 10 right
		source := "coco"
		if i%2 == 1 {
			source = "web"
		}
		c.Add(source, float64(i)/10, Count{Right: i, Found: 10, Gold: 10})
	}
	c.Add("web", 0.9, Count{Right: 10, Found: 10, Gold: 10})
	parts := c.PartsOf("")
	if len(parts) != PartCount || parts[0].Captions != 2 || parts[0].Wrong() != 38 || parts[3].Captions != 3 || parts[3].Whole != 1 || parts[3].Highest != 0.9 {
		t.Errorf("%+v", parts)
	}
	if parts := c.PartsOf("web"); len(parts) != PartCount || parts[0].Captions != 1 || parts[0].Confidence != 0.1 || parts[0].F1() != 0.1 {
		t.Errorf("of one source: %+v", parts)
	}
	if parts := c.PartsOf("cc3m"); parts != nil {
		t.Errorf("of no captions: %+v", parts)
	}
	var out bytes.Buffer
	if err := c.WriteTable(&out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 1+3*PartCount || !strings.Contains(out.String(), "\nall ") {
		t.Errorf("%d lines: %s", n, out.String())
	}
}

func TestCalibrationOfOneCaption(t *testing.T) {
	var c Calibration
	c.Add("", 0.5, Count{})
	parts := c.PartsOf("")
	if len(parts) != 1 || parts[0].Whole != 1 || parts[0].Wrong() != 0 {
		t.Errorf("an empty graph that is right: %+v", parts)
	}
	if err := c.WriteTable(new(bytes.Buffer)); err != nil {
		t.Error(err)
	}
}
