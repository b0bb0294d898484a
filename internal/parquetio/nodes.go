package parquetio

import (
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// maxDepth is the largest depth of nested columns.
const maxDepth = 64

var errUnequalLists = errors.New("its parts disagree on where lists begin and end: the file is damaged")

// level is a pair of a repetition and a definition level.
type level struct{ rep, def byte }

// readNode is a column that is read, or a node of its tree: a list, a struct or a leaf.
type readNode struct {
	field    arrow.Field
	slot     level // an entry is a slot, a place for a value of the node, if rep ≤ slot.rep and def ≥ slot.def
	valid    byte  // the value of a slot is not null if def ≥ valid
	item     level // of a list: an entry begins an element if rep ≤ item.rep and def ≥ item.def
	list     bool
	children []*readNode
	leaf     *leafReader
}

// newReadNode returns the node of a column. slot is the item level of the list around it; def is
// the definition level at which its parent is not null.
func newReadNode(c *parquet.Column, slot level, def byte, depth int) (*readNode, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("column %q: nested more than %d deep", c.Path(), maxDepth)
	}
	if c.Repeated() { // without the LIST annotation: a list that is never null
		n := newListNode(c, slot, def, false)
		return n, n.addItem(c, depth)
	}
	return newPlainNode(c, slot, def, depth)
}

// newPlainNode is newReadNode for a column that is not repeated.
func newPlainNode(c *parquet.Column, slot level, def byte, depth int) (*readNode, error) {
	valid := def
	if c.Optional() {
		valid++
	}
	if inner := listInside(c); inner != nil {
		n := newListNode(c, slot, valid, c.Optional())
		if isElement(c, inner) {
			return n, n.addItem(inner, depth)
		}
		item, err := newReadNode(inner.Columns()[0], n.item, n.item.def, depth+1)
		if err != nil {
			return nil, err
		}
		n.setItem(item)
		return n, nil
	}
	return newValueNode(c, slot, valid, c.Optional(), depth)
}

func newListNode(c *parquet.Column, slot level, valid byte, nullable bool) *readNode {
	return &readNode{
		field: arrow.Field{Name: c.Name(), Nullable: nullable},
		slot:  slot, valid: valid, list: true,
		item: level{rep: slot.rep + 1, def: valid + 1},
	}
}

// addItem makes the repeated column c itself the element of the list.
func (n *readNode) addItem(c *parquet.Column, depth int) error {
	item, err := newValueNode(c, n.item, n.item.def, false, depth+1)
	if err == nil {
		n.setItem(item)
	}
	return err
}

func (n *readNode) setItem(item *readNode) {
	item.field.Name = "element"
	n.children = []*readNode{item}
	n.field.Type = arrow.ListOfField(item.field)
}

// newFieldList returns a list column of structs, reduced to one field of the structs: a list of its
// values. A null struct is a null value.
func newFieldList(c *parquet.Column, field, name string) (*readNode, error) {
	n, err := newReadNode(c, level{}, 0, 0)
	if err != nil {
		return nil, err
	}
	for _, child := range n.children[0].children {
		if child.field.Name == field {
			child.field.Nullable = true
			n.setItem(child)
			n.field.Name = name
			return n, nil
		}
	}
	return nil, fmt.Errorf("column %q is missing", name)
}

// newValueNode returns the node of a struct or a leaf.
func newValueNode(c *parquet.Column, slot level, valid byte, nullable bool, depth int) (*readNode, error) {
	n := &readNode{field: arrow.Field{Name: c.Name(), Nullable: nullable}, slot: slot, valid: valid}
	if c.Leaf() {
		leaf, err := newLeafReader(c, slot, valid)
		if err != nil {
			return nil, err
		}
		n.leaf, n.field.Type = leaf, leaf.dataType
		return n, nil
	}
	if len(c.Columns()) == 0 {
		return nil, fmt.Errorf("column %q: a group without columns", c.Path())
	}
	var fields []arrow.Field
	for _, child := range c.Columns() {
		m, err := newReadNode(child, slot, valid, depth+1)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, m)
		fields = append(fields, m.field)
	}
	n.field.Type = arrow.StructOf(fields...)
	return n, nil
}

// listInside returns the repeated group or value of a LIST or MAP column, or
// nil if c is neither.
func listInside(c *parquet.Column) *parquet.Column {
	if c.Leaf() || len(c.Columns()) != 1 || !c.Columns()[0].Repeated() {
		return nil
	}
	if t := c.Type().LogicalType(); t != nil {
		switch t.Value.(type) {
		case *format.ListType, *format.MapType:
			return c.Columns()[0]
		}
	}
	return nil
}

// isElement reports whether the repeated node of a list is the element itself, and not a wrapper
// around the element. It follows the backward-compatibility rules of Parquet's LogicalTypes.md. The
// entries of a map are elements.
func isElement(list, inner *parquet.Column) bool {
	return inner.Leaf() || len(inner.Columns()) != 1 || inner.Name() == "array" || inner.Name() == list.Name()+"_tuple"
}

func (n *readNode) appendLeaves(leaves []*leafReader) []*leafReader {
	if n.leaf != nil {
		return append(leaves, n.leaf)
	}
	for _, c := range n.children {
		leaves = c.appendLeaves(leaves)
	}
	return leaves
}

// levelsOf returns the levels of the first leaf under the node.
func (n *readNode) levelsOf() (rep, def []byte) {
	for n.leaf == nil {
		n = n.children[0]
	}
	return n.leaf.rep, n.leaf.def
}

// assemble returns an array with the slots of the node, of the values that its leaves have read.
func (n *readNode) assemble(mem memory.Allocator, slots int) (arrow.ArrayData, error) {
	if n.leaf != nil {
		return n.leaf.assemble(slots)
	}
	buffers := []*memory.Buffer{nil}
	var children []arrow.ArrayData
	defer func() {
		for _, b := range buffers {
			if b != nil {
				b.Release()
			}
		}
		for _, c := range children {
			c.Release()
		}
	}()
	nulls, err := 0, error(nil)
	if n.valid > n.slot.def { // the node, or a struct around it, may be null
		if buffers[0], nulls, err = n.validityBitmap(mem, slots); err != nil {
			return nil, err
		}
	}
	inside := slots
	if n.list {
		var offsets *memory.Buffer
		if offsets, inside, err = n.listOffsets(mem, slots); err != nil {
			return nil, err
		}
		buffers = append(buffers, offsets)
	}
	for _, c := range n.children {
		child, err := c.assemble(mem, inside)
		if err != nil {
			return nil, err
		}
		children = append(children, child)
	}
	return array.NewData(n.field.Type, slots, buffers, children, nulls, 0), nil
}

func (n *readNode) validityBitmap(mem memory.Allocator, slots int) (*memory.Buffer, int, error) {
	b := memory.NewResizableBuffer(mem)
	b.Resize(int(bitutil.BytesForBits(int64(slots))))
	bits := b.Bytes()
	clear(bits)
	rep, def := n.levelsOf()
	at, nulls := 0, 0
	for i, d := range def {
		if d < n.slot.def || rep != nil && rep[i] > n.slot.rep {
			continue
		}
		if at == slots {
			b.Release()
			return nil, 0, errUnequalLists
		}
		if d >= n.valid {
			bitutil.SetBit(bits, at)
		} else {
			nulls++
		}
		at++
	}
	if at != slots {
		b.Release()
		return nil, 0, errUnequalLists
	}
	return b, nulls, nil
}

// listOffsets returns the offsets of the lists, and the number of elements of all lists.
func (n *readNode) listOffsets(mem memory.Allocator, slots int) (*memory.Buffer, int, error) {
	b := memory.NewResizableBuffer(mem)
	b.Resize(arrow.Int32Traits.BytesRequired(slots + 1))
	offsets := arrow.Int32Traits.CastFromBytes(b.Bytes())
	rep, def := n.levelsOf()
	at, items := 0, int32(0)
	for i, d := range def {
		if d >= n.slot.def && rep[i] <= n.slot.rep {
			if at == slots {
				b.Release()
				return nil, 0, errUnequalLists
			}
			offsets[at] = items
			at++
		}
		if d >= n.item.def && rep[i] <= n.item.rep {
			items++
		}
	}
	if at != slots {
		b.Release()
		return nil, 0, errUnequalLists
	}
	offsets[slots] = items
	return b, int(items), nil
}
