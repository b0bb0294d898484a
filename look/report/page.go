package report

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"strings"

	"capgraph/internal/text"
	"capgraph/look/inspect"
)

//go:embed *.html
var pages embed.FS

// Style is the style sheet of all pages, light and dark, for phones and wide screens.
//
//go:embed style.css
var Style string

// NewTemplate returns the templates that all pages share: "head" begins a page up to its title, and
// "arrow" defines the arrowheads of DrawGraph. They provide the functions mark, caption, drawing and
// quote.
func NewTemplate() (*template.Template, error) {
	functions := template.FuncMap{"mark": MarkChanges, "caption": MarkCaption, "drawing": DrawGraph, "quote": text.Quote}
	return template.New("").Funcs(functions).ParseFS(pages, "shared.html")
}

// writePage writes the page of that template file with view as its data. If the template fails, it writes
// nothing.
func writePage(w io.Writer, file string, view any) error {
	t, err := NewTemplate()
	if err == nil {
		t, err = t.ParseFS(pages, file)
	}
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := t.ExecuteTemplate(&page, file, view); err != nil {
		return err
	}
	_, err = page.WriteTo(w)
	return err
}

// MarkChanges returns segments as HTML with the changed ones in <mark>.
func MarkChanges(segments []inspect.Segment) template.HTML {
	var b strings.Builder
	for i, s := range segments {
		if i > 0 {
			b.WriteByte(' ')
		}
		escaped := template.HTMLEscapeString(s.Text)
		if s.Changed {
			escaped = "<mark>" + escaped + "</mark>"
		}
		b.WriteString(escaped)
	}
	return template.HTML(b.String())
}
