package clean

import (
	"regexp"
	"strings"
)

var (
	markdownHeading   = regexp.MustCompile(`^#{1,6}\s+`)
	markdownItem      = regexp.MustCompile(`^(?:[-*+•]|[0-9]{1,2}[.)])\s+`)
	markdownRule      = regexp.MustCompile(`^(?:-{3,}|\*{3,}|_{3,}|={3,})$`)
	markdownColumns   = regexp.MustCompile(`^\|?(?: *:?-+:? *\|)+ *(?::?-+:?)? *\|?$`)
	markdownUnderline = regexp.MustCompile(`^(?:-{3,}|={3,})$`)
	markdownStrong    = regexp.MustCompile(`\*\*\*?([^\s*](?:[^*\n]*[^\s*])?)\*\*\*?`)
	markdownStress    = regexp.MustCompile(`(^|[\s("'])\*([^\s*](?:[^*\n]*[^\s*])?)\*([\s.,;:!?)"']|$)`)
	markdownLink      = regexp.MustCompile(`!?\[([^\]\n]*)\]\((?:https?://|www\.|/)[^)\s]*\)`)
	markdownLabel     = regexp.MustCompile(`^\*\*([^*:\n]{1,60})(?::\*\*|\*\*:)\s*`)
)

// stripMarkdown rewrites Markdown as sentences. Headings and list items end in a full stop. Section
// labels ("**Setting:** a beach") are removed, and so are tables, except cells that are sentences.
func stripMarkdown(s string, _ Options, found *findings) string {
	if !strings.ContainsAny(s, "#*\n`[>") {
		return s
	}
	lines := stripTables(stripQuoteMarks(strings.Split(s, "\n")), found)
	for i := range lines[1:] { // turn underlined headings into # headings
		heading, under := strings.TrimSpace(lines[i]), strings.TrimSpace(lines[i+1])
		if heading != "" && markdownUnderline.MatchString(under) && !markdownRule.MatchString(heading) {
			lines[i], lines[i+1] = "# "+heading, ""
		}
	}
	marked := isMarkdown(lines)
	for i, line := range lines {
		switch {
		case marked:
			line = plainLine(strings.TrimSpace(line), len(lines) > 1)
		case len(lines) > 1 && markdownRule.MatchString(strings.TrimSpace(line)):
			line = ""
		}
		lines[i] = stripInline(line)
	}
	joined := strings.Join(lines, "\n")
	if joined != s {
		found.Noise |= NoiseMarkdown
	}
	return joined
}

// isMarkdown reports whether lines have a heading, a label, two list items or a fence. A one-line
// title, such as "1. FC Cologne", is not Markdown.
func isMarkdown(lines []string) bool {
	items, others := 0, 0
	for _, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"), markdownLabel.MatchString(line), markdownHeading.MatchString(line):
			return true
		case markdownItem.MatchString(line):
			items++
		case line != "":
			others++
		}
	}
	return items >= 2 || items == 1 && others > 0
}

// plainLine returns a line of Markdown as a sentence; "" if it does not describe the image, such as a label.
func plainLine(line string, several bool) string {
	if strings.HasPrefix(line, "```") || markdownRule.MatchString(line) {
		return ""
	}
	plain := strings.TrimPrefix(line, "> ")
	sentence := false
	if rest := markdownHeading.ReplaceAllString(plain, ""); rest != plain {
		plain, sentence = strings.TrimRight(rest, "# "), true
		if several && isLabel(strings.Trim(plain, "*")) {
			return ""
		}
	}
	if rest := markdownItem.ReplaceAllString(plain, ""); rest != plain {
		plain, sentence = rest, true
	}
	if m := markdownLabel.FindStringSubmatch(plain); m != nil && isLabel(m[1]) {
		plain, sentence = plain[len(m[0]):], true
	}
	if whole := markdownStrong.FindString(plain); whole == plain && whole != "" {
		if several && isLabel(strings.Trim(whole, "*")) {
			return ""
		}
		sentence = true
	}
	plain = strings.TrimSpace(plain)
	if end := strings.TrimRight(plain, `*"') `); sentence && end != "" && strings.IndexByte(".!?:;,", end[len(end)-1]) < 0 {
		plain += "."
	}
	return plain
}

// stripInline removes the marks of Markdown within a line: **bold**, *stress*, [links](https://…).
func stripInline(line string) string {
	if strings.IndexByte(line, '*') >= 0 {
		line = markdownStrong.ReplaceAllString(line, "$1")
		line = markdownStress.ReplaceAllString(line, "$1$2$3")
	}
	if strings.Contains(line, "](") {
		line = markdownLink.ReplaceAllString(line, "$1")
	}
	return line
}

// stripQuoteMarks removes the marks of a quotation, if each line with text has one: "> a dog".
func stripQuoteMarks(lines []string) []string {
	plain := make([]string, len(lines))
	for i, line := range lines {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), ">")
		if !ok && strings.TrimSpace(line) != "" {
			return lines
		}
		plain[i] = rest
	}
	return plain
}

// leastCellWords is the fewest words of a table cell that counts as a sentence.
const leastCellWords = 4

// stripTables removes tables, except cells that are sentences: "| scene | a dog runs on a beach |". The second
// line of a table is one such as |---|---|.
func stripTables(lines []string, found *findings) []string {
	for i := 1; i < len(lines); i++ {
		if !strings.Contains(lines[i-1], "|") || !markdownColumns.MatchString(strings.TrimSpace(lines[i])) {
			continue
		}
		found.table = true
		lines[i-1], lines[i] = "", ""
		for i++; i < len(lines) && strings.Contains(lines[i], "|"); i++ {
			var sentences []string
			for cell := range strings.SplitSeq(lines[i], "|") {
				if cell = strings.Trim(cell, " *\t\r"); len(strings.Fields(cell)) >= leastCellWords {
					sentences = append(sentences, strings.TrimRight(cell, ".")+".")
				}
			}
			lines[i] = strings.Join(sentences, " ")
		}
	}
	return lines
}
