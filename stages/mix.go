package stages

import (
	"fmt"
	"slices"
	"strings"

	"capgraph/internal/text"
	"capgraph/negatives"
	"capgraph/negatives/methods"
)

// Statistics of the pass texts: negatives by kind and by method, captions with a positive that is a
// part of them, and those of them that have a negative of the whole caption.
const (
	statOfKind   = "kind_"
	statOfMethod = "method_"
	statOfParts  = "captions_with_part"
	statOfOwn    = "captions_with_own_negative"
	statOfPublic = "public_counts" // batches made with the counts of public captions
)

// FormatMix returns a line of text: how many texts a caption has, the kinds of the negatives, and how
// many captions have a negative of the whole caption.
func FormatMix(stats map[string]int64, rows int64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%.1f positives and %.1f negatives a caption", float64(stats["positives"])/float64(rows), float64(stats["negatives"])/float64(rows))
	if stats[statOfPublic] > 0 {
		b.WriteString("\nwith counts of public captions, as the corpus is small (negatives.public_counts)")
	}
	all := stats["negatives"]
	if all == 0 {
		return b.String()
	}
	var kinds []string
	for _, kind := range negatives.MixKinds() {
		if n := stats[statOfKind+kind]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%s %.1f %%", kind, 100*float64(n)/float64(all)))
		}
	}
	fmt.Fprintf(&b, "\nmix: %s", strings.Join(kinds, ", "))
	if parts := stats[statOfParts]; parts > 0 {
		fmt.Fprintf(&b, "\nof %s %.1f %% have a negative of the whole caption; of all captions %.1f %% have no negative", text.Counted(int(parts), "caption with a part", "captions with parts"),
			100*float64(stats[statOfOwn])/float64(parts), 100*float64(stats["without_negative"])/float64(rows))
	}
	return b.String()
}

// warnOfIdleMethods warns of methods that the recipe names and that made no negative.
func warnOfIdleMethods(o *negatives.Options, stats map[string]int64) string {
	if slices.Equal(o.Methods, negatives.Defaults().Methods) || slices.Contains(o.Methods, methods.All) || stats["positives"] == 0 {
		return ""
	}
	var idle []string
	for _, m := range o.Methods {
		if stats[statOfMethod+m] == 0 {
			idle = append(idle, m)
		}
	}
	if len(idle) == 0 {
		return ""
	}
	return fmt.Sprintf("negatives.methods: %s made 0 negatives of the captions of %s: 'capgraph why DIR KEY' says what stopped them", strings.Join(idle, ", "), text.Counted(int(stats["images"]), "image", "images"))
}
