package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"capgraph/internal/parquetio"
	"capgraph/internal/text"
	"capgraph/store"
)

// catCommand prints Parquet files as JSON lines.
type catCommand struct {
	Files   []string `arg:"" name:"file" help:"Parquet files, of any writer."`
	Limit   int64    `help:"Largest number of rows to print; 0: all." default:"0" placeholder:"N"`
	Columns []string `help:"Print these columns, in this order." placeholder:"NAME"`
}

// Help returns the text below the usage.
func (catCommand) Help() string {
	return `One row is one line. Lists and structs are nested JSON, bytes base64, NaN null.

    capgraph cat data/texts/train-00000-of-00001.parquet --limit 3 --columns text,neg`
}

// Validate refuses invalid flags.
func (c *catCommand) Validate() error {
	if c.Limit < 0 {
		return fmt.Errorf("--limit=%d: want 0 or more", c.Limit)
	}
	return nil
}

// Run prints the files.
func (c *catCommand) Run(ctx context.Context, std streams) error {
	out := bufio.NewWriterSize(std.out, 64<<10)
	left := c.Limit
	for _, name := range c.Files {
		if c.Limit > 0 && left == 0 {
			break
		}
		rows, err := c.printFile(ctx, std.files, out, name, left)
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		if c.Limit > 0 {
			left -= rows
		}
	}
	return out.Flush()
}

// printFile prints at most limit rows of a file, or all if limit is 0, and returns the number of
// printed rows.
func (c *catCommand) printFile(ctx context.Context, files store.Store, out io.Writer, name string, limit int64) (int64, error) {
	f, err := files.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	rows, err := c.printRows(ctx, f, out, limit)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return rows, err
}

// printRows prints at most limit rows of an open file, or all if limit is 0, and returns the number
// of printed rows.
func (c *catCommand) printRows(ctx context.Context, f store.File, out io.Writer, limit int64) (int64, error) {
	r, err := parquetio.NewReader(f, f.Size(), parquetio.ReaderOptions{Columns: c.Columns})
	if err != nil {
		return 0, err
	}
	defer r.Close()
	printed, line := int64(0), []byte(nil)
	for ctx.Err() == nil {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return printed, nil
		}
		if err != nil {
			return printed, fmt.Errorf("after %d %s: %w", printed, text.Plural(printed, "row", "rows"), err)
		}
		for i := 0; i < int(rec.NumRows()) && (limit == 0 || printed < limit) && err == nil; i++ {
			line = append(parquetio.AppendRowJSON(line[:0], rec, i), '\n')
			_, err = out.Write(line)
			printed++
		}
		rec.Release()
		if err != nil || limit > 0 && printed == limit {
			return printed, err
		}
	}
	return printed, ctx.Err()
}
