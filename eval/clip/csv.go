package clip

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
)

// eachRow calls visit for the rows of a CSV file with a header. value returns the value of a column, ""
// if there is none.
func eachRow(data []byte, columns []string, visit func(line int, value func(column string) string) error) error {
	in := csv.NewReader(bytes.NewReader(data))
	in.ReuseRecord = true
	in.FieldsPerRecord = -1
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return errors.New("is empty: it has no header")
	}
	if err != nil {
		return err
	}
	header = slices.Clone(header)
	for _, c := range columns {
		if !slices.Contains(header, c) {
			return fmt.Errorf("has no column %s", c)
		}
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := in.FieldPos(0)
		err = visit(line, func(column string) string {
			if i := slices.Index(header, column); i >= 0 && i < len(row) {
				return row[i]
			}
			return ""
		})
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}
