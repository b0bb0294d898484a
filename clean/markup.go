package clean

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// inlineElements are the HTML elements that do not separate words, such as <b>. In place of any
// other element's tag comes a space.
var inlineElements = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.Acronym: true, atom.B: true, atom.Big: true, atom.Cite: true,
	atom.Code: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Ins: true, atom.Mark: true,
	atom.Q: true, atom.S: true, atom.Small: true, atom.Span: true, atom.Strike: true,
	atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Tt: true, atom.U: true, atom.Wbr: true,
}

// blockElements are the other elements that captions have. A name in neither list is not taken for
// an element: "I <heart> pizza" and "a < b" stay.
var blockElements = map[atom.Atom]bool{
	atom.Blockquote: true, atom.Body: true, atom.Br: true, atom.Button: true, atom.Center: true,
	atom.Dd: true, atom.Div: true, atom.Dl: true, atom.Dt: true, atom.Embed: true,
	atom.Figcaption: true, atom.Figure: true, atom.Form: true, atom.H1: true, atom.H2: true,
	atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true, atom.Head: true, atom.Hr: true,
	atom.Html: true, atom.Iframe: true, atom.Img: true, atom.Input: true, atom.Li: true,
	atom.Link: true, atom.Meta: true, atom.Noscript: true, atom.Ol: true, atom.P: true,
	atom.Picture: true, atom.Pre: true, atom.Script: true, atom.Section: true, atom.Source: true,
	atom.Style: true, atom.Svg: true, atom.Table: true, atom.Tbody: true, atom.Td: true,
	atom.Th: true, atom.Thead: true, atom.Title: true, atom.Tr: true, atom.Ul: true, atom.Video: true,
}

// stripMarkup removes HTML elements and comments, with the content of scripts and style sheets, and
// decodes entities.
func stripMarkup(s string, _ Options, _ *findings) string {
	if strings.IndexByte(s, '<') < 0 {
		return html.UnescapeString(s)
	}
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	read, code := 0, false
	for {
		kind := z.Next()
		raw := string(z.Raw()) // before the name is read, since that changes the bytes
		if kind == html.ErrorToken {
			b.WriteString(s[read:]) // an unfinished tag
			return b.String()
		}
		read += len(raw)
		switch kind {
		case html.TextToken:
			if !code {
				b.Write(z.Text())
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			switch {
			case !strings.HasSuffix(raw, ">") || !inlineElements[a] && !blockElements[a]:
				b.WriteString(raw)
			case blockElements[a]:
				b.WriteByte(' ')
			}
			code = kind == html.StartTagToken && (a == atom.Script || a == atom.Style)
		default:
			if !strings.HasPrefix(raw, "<!") || !strings.HasSuffix(raw, ">") {
				b.WriteString(raw) // such as "</3"
			}
		}
	}
}
