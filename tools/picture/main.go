// Command picture draws an image, the graph of its caption and its texts as SVG, as the README shows one:
//
//	capgraph synth -o out/scenes -n 60 --seed 7 --image-size 224
//	tar -xf out/scenes/train/00000.tar -C out/scenes
//	capgraph texts --seed 7 < out/scenes/000000023.txt | go run ./tools/picture out/scenes/000000023.png > docs/figures/picture.svg
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"log"
	"os"
	"regexp"
	"strconv"
	"strings"

	"capgraph/look/report"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

const (
	imageSide = 200 // pixels
	textLeft  = imageSide + 32
	lineStep  = 20
	maxTexts  = 5 // positives to show, each with its first negative

	// style fits a light and a dark page: the picture has a background of its own.
	style = `<style>text{font:13px ui-monospace,monospace;fill:#1f2937} .graph text{text-anchor:middle} text.attribute{font-style:italic;fill:#6b7280}` +
		` text.edge{font-size:12px} path.edge{fill:none;stroke:#6b7280} .box{fill:#fff;stroke:#2563eb;stroke-width:1.5} .c1{stroke:#b45309} .yes{fill:#047857} .no{fill:#be123c}</style>`
	arrow = `<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="#888"/></marker></defs>`
)

// textsOf is a line of `capgraph texts`.
type textsOf struct {
	Text      string
	Positives []struct{ Text string }
	Negatives []struct {
		Text string
		Of   int
	}
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("picture: name the image; the line of `capgraph texts` is the standard input")
	}
	image, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = draw(os.Stdout, os.Stdin, image)
	}
	if err != nil {
		log.Fatal("picture: ", err)
	}
}

var svgElement = regexp.MustCompile(`(?s)<svg [^>]*width="(\d+)" height="(\d+)"[^>]*>(.*)</svg>`)

// draw writes the SVG of an image in PNG and of the texts in the line that in contains.
func draw(out io.Writer, in io.Reader, image []byte) error {
	var t textsOf
	if err := json.NewDecoder(in).Decode(&t); err != nil {
		return err
	}
	parser, err := ruleparse.New()
	if err != nil {
		return err
	}
	var parsed schemas.Parsed
	parser.ParseText(t.Text, &parsed)
	graph := svgElement.FindStringSubmatch(string(report.DrawGraph(parsed.Graph)))
	if graph == nil {
		return fmt.Errorf("%q has no graph", t.Text)
	}
	width, graphHeight := parseSize(graph[1]), parseSize(graph[2])
	var lines strings.Builder
	y, longest := graphHeight+68, len(t.Text)
	for i, p := range t.Positives[:min(len(t.Positives), maxTexts)] {
		longest = max(longest, len(p.Text)+2)
		fmt.Fprintf(&lines, `<text class="yes" x="%d" y="%d">+ %s</text>`, textLeft, y, html.EscapeString(p.Text))
		y += lineStep
		for _, n := range t.Negatives {
			if n.Of == i {
				longest = max(longest, len(n.Text)+4)
				fmt.Fprintf(&lines, `<text class="no" x="%d" y="%d">− %s</text>`, textLeft+16, y, html.EscapeString(n.Text))
				y += lineStep
				break
			}
		}
	}
	width, height := textLeft+max(width, longest*8)+16, max(y, imageSide+32)
	_, err = fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+
		`<title>%s: an image, its scene graph, its positives and hard negatives</title>%s%s<rect width="100%%" height="100%%" rx="8" fill="#f8fafc"/>`+
		`<image x="16" y="16" width="%d" height="%d" href="data:image/png;base64,%s"/><text x="%d" y="30">%s</text><g class="graph" transform="translate(%d 38)">%s</g>%s</svg>`+"\n",
		width, height, width, height, html.EscapeString(t.Text), arrow, style, imageSide, imageSide, base64.StdEncoding.EncodeToString(image),
		textLeft, html.EscapeString(t.Text), textLeft-8, graph[3], lines.String())
	return err
}

// parseSize returns the number of pixels in digits that svgElement has matched.
func parseSize(digits string) int {
	n, _ := strconv.Atoi(digits) // digits alone
	return n
}
