package inspect

import (
	"fmt"
	"io"

	"capgraph/schemas"
)

// WriteTree writes a graph as a tree: each object with its quantity, its attributes, and the
// relations whose subject it is.
func WriteTree(w io.Writer, g *schemas.SceneGraph) {
	if len(g.Objects) == 0 {
		fmt.Fprintln(w, "(no objects)")
		return
	}
	for i := range g.Objects {
		o := &g.Objects[i]
		fmt.Fprintf(w, "%d %s%s\n", i, nameWithQuantity(o), statusNote(o.Status))
		var lines []string
		for _, a := range o.Attributes {
			lines = append(lines, fmt.Sprintf("is %s%s", a.Text, statusNote(a.Status)))
		}
		for _, r := range g.Relations {
			if int(r.Subject) == i {
				lines = append(lines, fmt.Sprintf("%s → %d %s%s", r.Lemma, r.Object, g.Objects[r.Object].Name, statusNote(r.Status)))
			}
		}
		for j, line := range lines {
			branch := "├─"
			if j == len(lines)-1 {
				branch = "└─"
			}
			fmt.Fprintf(w, "  %s %s\n", branch, line)
		}
	}
}

// statusNote returns the status in brackets, such as " (denied)"; "" if the caption asserts the part.
func statusNote(status string) string {
	if status == "" {
		return ""
	}
	return " (" + status + ")"
}

// nameWithQuantity returns the name and quantity of an object: "umbrellas (two)".
func nameWithQuantity(o *schemas.Object) string {
	if o.Quantity == "" {
		return o.Name
	}
	return o.Name + " (" + o.Quantity + ")"
}
