package report

import (
	"html/template"
	"io"

	"capgraph/eval/negatives"
	"capgraph/look/inspect"
)

// AuditOptions are the settings of WriteAudit.
type AuditOptions struct {
	Command string // prints the page again
	Version string
}

// WriteAudit writes the page of an audit of sets of negatives: a table that compares them, and for
// each set its methods and examples of its faults. If it fails, it writes nothing.
func WriteAudit(w io.Writer, sets []*negatives.Audited, o AuditOptions) error {
	view := struct {
		AuditOptions
		Style   template.CSS
		Columns []negatives.AuditColumn
		Sets    []auditView
	}{o, template.CSS(Style), negatives.AuditColumns, nil}
	for _, s := range sets {
		a := auditView{Name: s.Name, Captions: s.Captions, Images: s.Images}
		for i := range s.Groups {
			g := &s.Groups[i]
			row := auditRow{Name: g.Name, Negatives: g.Negatives}
			for _, c := range negatives.AuditColumns {
				row.Cells = append(row.Cells, c.Text(g))
			}
			a.Rows = append(a.Rows, row)
		}
		for _, f := range s.Faults {
			v := auditFault{Name: f.Name}
			for _, e := range f.Examples {
				v.Examples = append(v.Examples, auditExample{e.Positive, markNegative(e)})
			}
			a.Faults = append(a.Faults, v)
		}
		view.Sets = append(view.Sets, a)
	}
	return writePage(w, "audit.html", view)
}

type auditView struct {
	Name             string
	Captions, Images int
	Rows             []auditRow // first all negatives, then each group
	Faults           []auditFault
}

type auditRow struct {
	Name      string
	Negatives int
	Cells     []string
}

type auditFault struct {
	Name     string
	Examples []auditExample
}

type auditExample struct {
	Positive string
	Negative template.HTML
}

// markNegative returns a negative as HTML with the words marked that its positive lacks.
func markNegative(e negatives.Example) template.HTML {
	_, segments := inspect.Diff(e.Positive, e.Negative)
	return MarkChanges(segments)
}
