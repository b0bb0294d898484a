package sources

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"capgraph/schemas"
	"capgraph/store"
)

// rowReader is what each format implements. A Reader adds what all formats share.
type rowReader interface {
	// next sets row, which is zero except for the memory of Same and Keep.
	next(row *Row) error
	position() schemas.Position
	close() error
}

// input is what a format needs to open a file.
type input struct {
	ctx   context.Context
	store store.Store
	file  File
	opts  Options
	where []condition
	from  schemas.Position
}

// whereConditions returns the conditions of Where, or of the format if Where is nil, sorted by
// name.
func (o Options) whereConditions(f Format) []condition {
	where := o.Where
	if where == nil {
		where = f.Where
	}
	var all []condition
	for _, name := range slices.Sorted(maps.Keys(where)) {
		all = append(all, newCondition(name, where[name]))
	}
	return all
}

// LiftsConditions reports whether Where is empty but not nil, and so removes the format's own conditions.
func (o Options) LiftsConditions() bool {
	f, err := o.formatByName()
	return err == nil && f.Where != nil && o.Where != nil && len(o.Where) == 0
}

// Check returns an error if the options are invalid or contradict the format. It reads no file.
func (o Options) Check() error {
	f, err := o.formatByName()
	if err != nil {
		return err
	}
	if _, err := encodingByName(o.Encoding); err != nil {
		return err
	}
	if !slices.Contains([]string{LinesAuto, LinesEach, LinesOne}, o.Lines) {
		return fmt.Errorf("source.lines: %q is neither each nor one", o.Lines)
	}
	for _, role := range slices.Sorted(maps.Keys(o.Columns)) {
		if n := len(o.Columns[role]); n != 1 && (n == 0 || role != Caption || !f.hasLists) {
			return fmt.Errorf("source.columns: %s has %d columns: name one", role, n)
		}
		if !slices.Contains(f.Roles, role) {
			if len(f.Roles) == 0 {
				return fmt.Errorf("source.columns: the columns of %s are fixed: leave it out", f.Name)
			}
			return fmt.Errorf("source.columns: %s has no %q: it has %s", f.Name, role, strings.Join(f.Roles, ", "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Where)) {
		if text := o.Where[name]; strings.HasPrefix(text, "in (") && !strings.HasSuffix(text, ")") {
			return fmt.Errorf("source.where: %s: %q does not close: write it between quotation marks, \"in (a, b)\"", name, text)
		}
		if f.Fields != nil && !slices.Contains(f.Fields, name) {
			return fmt.Errorf("source.where: %s has no column %q: it has %s", f.Name, name, strings.Join(f.Fields, ", "))
		}
	}
	for i, name := range o.Keep {
		if f.Fields != nil && !slices.Contains(f.Fields, name) {
			return fmt.Errorf("source.keep: %s has no column %q: it has %s", f.Name, name, strings.Join(f.Fields, ", "))
		}
		if slices.Contains(o.Keep[:i], name) {
			return fmt.Errorf("source.keep: %q is named twice", name)
		}
		if name == schemas.ColSame || name == schemas.ColCapKind && o.HasCaptionKinds() || schemas.GraphsSchema(nil).HasField(name) {
			return fmt.Errorf("source.keep: %q is the name of a column that is written anyway: rename it in the source, or leave it out", name)
		}
	}
	return nil
}

func (o Options) formatByName() (Format, error) {
	var names []string
	for _, f := range Formats() {
		if f.Name == o.Format {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("source.format: no format %q: there are %s", o.Format, strings.Join(names, ", "))
}

// HasShards reports whether each file of the format is a shard of its own, such as a tar. An empty
// file is a shard, too.
func (o Options) HasShards() bool {
	f, err := o.formatByName()
	return err == nil && f.isSharded
}

// HasGraphs reports whether rows of the format may have a Graph.
func (o Options) HasGraphs() bool {
	f, err := o.formatByName()
	return err == nil && f.hasGraphs
}

// columnOf returns the column that has a role; def if none is named.
func (o Options) columnOf(role, def string) string {
	if names := o.Columns[role]; len(names) > 0 {
		return names[0]
	}
	return def
}

// Open returns a reader of the rows of file from a position on. A zero Position is the beginning. If
// the file is malformed, the error is a *FileError.
func Open(ctx context.Context, s store.Store, file File, opts Options, from schemas.Position) (Reader, error) {
	return openRows(ctx, s, file, opts, from, map[uint64]struct{}{})
}

// Scan opens a file as Open does, but duplicate keys are not rejected, so that no keys are held in
// memory.
func Scan(ctx context.Context, s store.Store, file File, opts Options) (Reader, error) {
	return openRows(ctx, s, file, opts, schemas.Position{}, nil)
}

func openRows(ctx context.Context, s store.Store, file File, opts Options, from schemas.Position, seen map[uint64]struct{}) (Reader, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	f, err := opts.formatByName()
	if err != nil {
		return nil, err
	}
	in := &input{ctx: ctx, store: s, file: file, opts: opts, where: opts.whereConditions(f), from: from}
	r := &checkedReader{in: in, seen: seen}
	if err := r.catchPanic(func() (err error) { r.rows, err = f.open(in); return err }); err != nil {
		return nil, err
	}
	if err := r.skipToStart(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// malformedError returns the *FileError for a place in the file.
func (in *input) malformedError(at schemas.Position, err error, remedy string) error {
	var f *FileError
	if errors.As(err, &f) {
		return err
	}
	return &FileError{Path: in.file.Path, Row: at.Row, Offset: at.Offset, Err: err, Remedy: remedy}
}

// openFile opens the file. It returns an error if the size has changed since the file was found.
func (in *input) openFile() (store.File, error) {
	f, err := in.store.Open(in.file.Path)
	if err != nil {
		return nil, err
	}
	err = store.CheckPointerAt(f)
	if err != nil {
		err = in.malformedError(schemas.Position{Offset: -1}, err, "")
	} else {
		err = in.checkSize(f)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (in *input) checkSize(f store.File) error {
	if f.Size() == in.file.Size {
		return nil
	}
	return in.malformedError(schemas.Position{Offset: -1},
		fmt.Errorf("has %d bytes and had %d when it was indexed", f.Size(), in.file.Size),
		"bring the old file back, or index again into another folder")
}
