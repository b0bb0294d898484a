package parquetio

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// AppendRowJSON appends a row of rec as a JSON object with the columns in
// their order. Null, NaN and infinite numbers are null; bytes are base64;
// timestamps RFC 3339, dates and times ISO 8601, decimals text.
func AppendRowJSON(b []byte, rec arrow.Record, row int) []byte {
	b = append(b, '{')
	for i, c := range rec.Columns() {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSONText(b, rec.ColumnName(i))
		b = append(b, ':')
		b = appendJSON(b, c, row)
	}
	return append(b, '}')
}

func appendJSON(b []byte, a arrow.Array, i int) []byte {
	if a.IsNull(i) {
		return append(b, "null"...)
	}
	switch a := a.(type) {
	case *array.String:
		return appendJSONText(b, a.Value(i))
	case *array.Binary:
		return appendBase64(b, a.Value(i))
	case *array.FixedSizeBinary:
		return appendBase64(b, a.Value(i))
	case *array.Boolean:
		return strconv.AppendBool(b, a.Value(i))
	case *array.Int8:
		return strconv.AppendInt(b, int64(a.Value(i)), 10)
	case *array.Int16:
		return strconv.AppendInt(b, int64(a.Value(i)), 10)
	case *array.Int32:
		return strconv.AppendInt(b, int64(a.Value(i)), 10)
	case *array.Int64:
		return strconv.AppendInt(b, a.Value(i), 10)
	case *array.Uint8:
		return strconv.AppendUint(b, uint64(a.Value(i)), 10)
	case *array.Uint16:
		return strconv.AppendUint(b, uint64(a.Value(i)), 10)
	case *array.Uint32:
		return strconv.AppendUint(b, uint64(a.Value(i)), 10)
	case *array.Uint64:
		return strconv.AppendUint(b, a.Value(i), 10)
	case *array.Float32:
		return appendJSONFloat(b, float64(a.Value(i)), 32)
	case *array.Float64:
		return appendJSONFloat(b, a.Value(i), 64)
	case *array.Null:
		return append(b, "null"...)
	case *array.Decimal128:
		return appendJSONText(b, a.Value(i).ToString(a.DataType().(*arrow.Decimal128Type).Scale))
	case *array.List:
		return appendJSONList(b, a, i)
	case *array.Struct:
		return appendJSONStruct(b, a, i)
	case *array.Timestamp:
		t := a.DataType().(*arrow.TimestampType)
		layout := "2006-01-02T15:04:05.999999999"
		if t.TimeZone != "" {
			layout += "Z"
		}
		return appendJSONText(b, a.Value(i).ToTime(t.Unit).Format(layout))
	default:
		return appendJSONText(b, a.ValueStr(i))
	}
}

func appendJSONList(b []byte, a *array.List, i int) []byte {
	b = append(b, '[')
	begin, end := a.ValueOffsets(i)
	for j := begin; j < end; j++ {
		if j > begin {
			b = append(b, ',')
		}
		b = appendJSON(b, a.ListValues(), int(j))
	}
	return append(b, ']')
}

func appendJSONStruct(b []byte, a *array.Struct, i int) []byte {
	b = append(b, '{')
	for j := range a.NumField() {
		if j > 0 {
			b = append(b, ',')
		}
		b = appendJSONText(b, a.DataType().(*arrow.StructType).Field(j).Name)
		b = append(b, ':')
		b = appendJSON(b, a.Field(j), i)
	}
	return append(b, '}')
}

func appendJSONFloat(b []byte, v float64, bits int) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, v, 'g', -1, bits)
}

func appendBase64(b, v []byte) []byte {
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, v)
	return append(b, '"')
}

// appendJSONText appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func appendJSONText(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
