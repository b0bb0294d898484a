package export

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/schemas/drawing"
	"capgraph/store"
)

// negBenchFiles maps the files of the output to their columns, which NegBench's code reads.
var negBenchFiles = map[string][]string{
	"captions.csv": {"filepath", "caption", "false_caption", "positive_objects", "negative_objects"},
	"mcq.csv":      {"correct_answer", "caption_0", "caption_1", "caption_2", "caption_3", "correct_answer_template", "image_path"},
}

// writeNegBench writes two files. captions.csv has captions with a true denial, of a thing that is
// absent, and with a false one, of a thing that is present. mcq.csv has questions with four answers,
// the first of which is right.
func writeNegBench(ctx context.Context, o Options) (s Summary, err error) {
	shards, err := ListShards(o.Store, o.Dir)
	if err != nil {
		return s, err
	}
	if err := checkEmpty(o); err != nil {
		return s, err
	}
	finder, err := newAbsentFinder()
	if err != nil {
		return s, err
	}
	captions, err := newCSVFile(o, "captions.csv")
	if err != nil {
		return s, err
	}
	defer captions.temp.Discard()
	questions, err := newCSVFile(o, "mcq.csv")
	if err != nil {
		return s, err
	}
	defer questions.temp.Discard()
	for image, err := range groupImages(readRows(o, shards)) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return s, err
		}
		s.Rows += len(image)
		sc := finder.describeScene(image)
		for _, r := range image {
			file, reason := negBenchImage(o, r, sc)
			if reason != "" {
				s.leaveOut(reason)
				continue
			}
			s.Written++
			if err := captions.rows.Write(append([]string{file}, denialCells(r, sc)...)); err != nil {
				return s, err
			}
		}
		if file, reason := negBenchImage(o, image[0], sc); reason == "" && len(sc.present) > 1 {
			for i, absent := range sc.absent {
				if err := questions.rows.Write(append(questionCells(image[0].ImageKey, i, sc.present, absent), file)); err != nil {
					return s, err
				}
			}
		}
	}
	if err := captions.publishFile(); err != nil {
		return s, err
	}
	return s, questions.publishFile()
}

// negBenchImage returns the path of a row's image, or the reason why the row is left out.
func negBenchImage(o Options, r *Row, sc scene) (file, reason string) {
	file, inside := imagePath(o.Images, r.Image)
	switch {
	case r.Image == "":
		return "", "no image path"
	case !inside:
		return "", "an image path that leads out of the folder of images"
	case pandasMissing[r.Text]:
		return "", "a caption that pandas reads as a missing value"
	case len(sc.present) == 0 || len(sc.absent) == 0:
		return "", "nothing known to be absent"
	}
	return file, ""
}

// denialCells returns the cells of captions.csv after the path. The true denial follows the whole caption.
// The false denial follows another present thing only, since the whole caption would contradict it.
func denialCells(r *Row, sc scene) []string {
	random := drawing.NewDraw(0, 0, 0).Random("denials", r.Key)
	absent := sc.absent[random.IntN(len(sc.absent))]
	i := random.IntN(len(sc.present))
	form := [...]string{"%[1]s. No %[2]s.", "No %[2]s. %[1]s.", "%[1]s. There is no %[2]s.", "%[1]s, without %[3]s."}[random.IntN(4)]
	deny := func(said, phrase string) string { return fmt.Sprintf(form, said, trimArticle(phrase), phrase) }
	falsely := "There is no " + trimArticle(sc.present[i]) + "."
	if others := len(sc.present) - 1; others > 0 {
		said := sc.present[(i+1+random.IntN(others))%len(sc.present)]
		first, size := utf8.DecodeRuneInString(said)
		falsely = deny(string(unicode.ToUpper(first))+said[size:], sc.present[i])
	}
	return []string{deny(strings.TrimRight(r.Text, ".!? "), absent), falsely, pythonStrings(sc.present), pythonStrings(sc.absent)}
}

// questionCells returns the cells of a question, without the path of the image.
func questionCells(image string, i int, present []string, absent string) []string {
	random := drawing.NewDraw(0, 0, 0).Random("question", fmt.Sprintf("%s %d", image, i))
	first := random.IntN(len(present))
	a, b := present[first], present[(first+1+random.IntN(len(present)-1))%len(present)]
	forms := [...][2]string{
		{"positive", "a photo of " + a + " and " + b},
		{"negative", "a photo without " + absent},
		{"hybrid", "a photo of " + b + ", without " + absent},
	}
	right := forms[random.IntN(len(forms))]
	return []string{"0", right[1], "a photo of " + absent + ", without " + b, "a photo of " + absent, "a photo without " + a, right[0]}
}

// trimArticle returns a phrase without its article or "some".
func trimArticle(phrase string) string {
	if first, rest, ok := strings.Cut(phrase, " "); ok && (first == "a" || first == "an" || first == "some" || first == "the") {
		return rest
	}
	return phrase
}

// pythonStrings formats strings as a Python list.
func pythonStrings(values []string) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		writePythonString(&b, v)
	}
	return "[" + b.String() + "]"
}

// csvFile is an unfinished file of the output folder.
type csvFile struct {
	temp store.Temp
	rows *csv.Writer
}

func newCSVFile(o Options, name string) (*csvFile, error) {
	temp, err := o.Store.Create(store.Join(o.Output, name))
	if err != nil {
		return nil, err
	}
	f := &csvFile{temp, csv.NewWriter(temp)}
	return f, f.rows.Write(negBenchFiles[name])
}

func (f *csvFile) publishFile() error {
	f.rows.Flush()
	if err := f.rows.Error(); err != nil {
		return err
	}
	return f.temp.Publish()
}
