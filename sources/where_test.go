package sources

import (
	"math"
	"strings"
	"testing"

	"capgraph/schemas"
)

// A number of a recipe is that of a column with the same value, however both are
// written; a text is a text.
func TestWhereComparesNumbersByValue(t *testing.T) {
	type row struct {
		Caption string  `parquet:"caption"`
		Wide    float64 `parquet:"wide"`
		Small   float64 `parquet:"small"`
		Sim     float32 `parquet:"sim"`
		Zero    float64 `parquet:"zero"`
		Last    float64 `parquet:"last"`
		None    float64 `parquet:"none"`
		Int     int64   `parquet:"int"`
		Big     uint64  `parquet:"big"`
		Dec     int64   `parquet:"dec,decimal(2:10)"`
		Safe    bool    `parquet:"safe"`
		Code    string  `parquet:"code"`
	}
	columns := parquetOf(t, []row{{"a dog", 1234567, 0.3, 0.3, math.Copysign(0, -1), 1 << 53, math.NaN(), 1000, math.MaxUint64, 150, true, "007"}})
	lines := []byte(`{"caption": "a dog", "wide": 1.234567e6, "small": 0.30, "sim": 0.3, "zero": -0.0, "last": 9007199254740992, "none": "NaN",` +
		` "int": 1000, "big": 18446744073709551615, "dec": 1.50, "safe": true, "code": "007"}` + "\n")
	for format, file := range map[string][]byte{"parquet": columns, "jsonl": lines} {
		opts := write(t, format, file)
		for asked, want := range map[string]bool{
			"wide 1234567": true, "wide 1234567.0": true, "wide 1_234_567": true, "wide 1.234567e6": true, "wide 1234568": false, "wide many": false, "wide ": false,
			"small 0.3": true, "small .30": true, "small 0.30000000000000004": false, "small 0": false,
			"sim 0.3": true, "sim 0.30": true, "sim 0.31": false, "zero 0": true, "zero -0.0": true, "last 9007199254740992": true, "last 9007199254740991": false,
			"none NaN": true, "none 0": false, "wide 1e999999999999": false, "wide 01_234_567": true, "wide 1234567/1": false,
			"int 1000": true, "int 1000.0": true, "int 1e3": true, "int 01000": true, "int 0x3e8": true, "int 1001": false, "int 1e999999999999": false,
			"big 18446744073709551615": true, "big 18446744073709551614": false, "dec 1.5": true, "dec 1.50": true, "dec 1.51": false,
			"safe true": true, "safe True": true, "safe false": false, "safe 1": false,
			"code 007": true, "code 7": false, "code 7.0": false,
		} {
			column, value, _ := strings.Cut(asked, " ")
			opts.Where = map[string]string{column: value}
			rows, _, err := read(t, opts, schemas.Position{})
			if err != nil || len(rows) != 1 || (rows[0].Reject == "") != want {
				t.Errorf("%s, %s: %+v, %v, want kept: %v", format, asked, rows, err, want)
			}
		}
	}
}
