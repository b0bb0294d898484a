package clip

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"capgraph/images"
	"capgraph/store"
)

// Labelled is an image with its class.
type Labelled struct{ Image, Label string }

const labelledForm = `a folder of class folders, a CSV file with the columns image and label, or lines of {"image", "label"}`

// ReadLabelled reads images with their classes in order: from a folder of class folders, with images
// named CLASS/FILE, from CSV with the columns image and label, or from JSON lines.
func ReadLabelled(files store.Store, name string) ([]Labelled, error) {
	info, err := files.Stat(name)
	if err != nil {
		return nil, err
	}
	var list []Labelled
	if info.Dir {
		list, err = listClassFolders(files, name)
	} else {
		list, err = parseFile(files, name, labelledForm, parseLabelled)
	}
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: has no image with a label (want %s)", name, labelledForm)
	}
	return list, err
}

// listClassFolders returns the images of a folder of class folders.
func listClassFolders(files store.Store, dir string) (list []Labelled, err error) {
	classes, err := files.List(dir)
	if err != nil {
		return nil, err
	}
	for _, c := range classes {
		if !c.Dir {
			continue
		}
		class := path.Base(c.Name)
		inside, err := files.List(store.Join(dir, class))
		if err != nil {
			return nil, err
		}
		for _, i := range inside {
			if images.IsImageName(i.Name) {
				list = append(list, Labelled{path.Join(class, path.Base(i.Name)), class})
			}
		}
	}
	return list, nil
}

// parseLabelled parses CSV or JSON lines.
func parseLabelled(data []byte) (list []Labelled, err error) {
	if strings.HasPrefix(strings.TrimSpace(string(data[:min(len(data), 64)])), "{") {
		type entry struct {
			Image string   `json:"image"`
			Label jsonText `json:"label"`
		}
		err = eachLine(data, func(_ int, e entry) error {
			list = append(list, Labelled{e.Image, string(e.Label)})
			return requireFields("image", e.Image, "label", string(e.Label))
		})
	} else {
		err = eachRow(data, []string{"image", "label"}, func(_ int, value func(string) string) error {
			image, label := strings.Clone(value("image")), strings.Clone(value("label"))
			list = append(list, Labelled{image, label})
			return requireFields("image", image, "label", label)
		})
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Class is a class and its name in texts.
type Class struct{ Label, Name string }

// ClassesOf returns the classes of images, sorted by label. Their names are the labels, with spaces for
// underscores.
func ClassesOf(list []Labelled) (classes []Class) {
	for _, l := range list {
		classes = append(classes, Class{l.Label, strings.ReplaceAll(l.Label, "_", " ")})
	}
	slices.SortFunc(classes, func(a, b Class) int { return strings.Compare(a.Label, b.Label) })
	return slices.Compact(classes)
}

// wordNetID is the form of ImageNet's labels.
var wordNetID = regexp.MustCompile(`^n[0-9]{8}$`)

// WordNetID returns the name of the first class if all names are WordNet ids, such as n01440764, else
// "".
func WordNetID(classes []Class) string {
	isWord := func(c Class) bool { return !wordNetID.MatchString(c.Name) }
	if len(classes) == 0 || slices.ContainsFunc(classes, isWord) {
		return ""
	}
	return classes[0].Name
}

// ClassesForm is the form of a file of classes.
const ClassesForm = "one class a line: its label, a tab and its name in texts, or one text for both"

// ReadClasses reads classes, one a line: its label, a tab and its name, or one text for both.
func ReadClasses(files store.Store, file string) ([]Class, error) {
	return parseFile(files, file, ClassesForm, func(data []byte) (classes []Class, err error) {
		seen := map[string]bool{}
		for _, line := range nonBlankLines(data) {
			label, name, hasName := strings.Cut(line, "\t")
			if !hasName {
				name = label
			}
			if label == "" || name == "" || seen[label] {
				return nil, fmt.Errorf("class %q occurs twice, or has no label or no name", label)
			}
			seen[label] = true
			classes = append(classes, Class{label, name})
		}
		return classes, nil
	})
}

// DefaultTemplate is the default text about a class; {} is its name.
const DefaultTemplate = "a photo of a {}."

// ReadTemplates reads texts about a class, one a line; {} is its name.
func ReadTemplates(files store.Store, name string) ([]string, error) {
	return parseFile(files, name, "one text a line, with {} for the name of the class", func(data []byte) ([]string, error) {
		templates := nonBlankLines(data)
		for _, t := range templates {
			if !strings.Contains(t, "{}") {
				return nil, fmt.Errorf("%q has no {} for the name of the class", t)
			}
		}
		if len(templates) == 0 {
			return nil, errors.New("has no text")
		}
		return templates, nil
	})
}

// nonBlankLines returns the lines that are not blank.
func nonBlankLines(data []byte) (lines []string) {
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
