package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"capgraph"
	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/internal/usage"
	"capgraph/look/inspect"
	"capgraph/sources"
	"capgraph/store"
)

type initCommand struct {
	Paths  []string `arg:"" optional:"" name:"path" help:"Captions: files, a folder or a glob."`
	Train  bool     `help:"Write the recipe to fine-tune a published model, train.yaml, instead."`
	All    bool     `help:"If no format fits, say why of each."`
	Output string   `short:"o" help:"The recipe to write, which must not exist (default pipeline.yaml, or train.yaml with --train); - is standard output."`
}

// Help returns the text below the usage.
func (initCommand) Help() string {
	return `Detects the format of caption files, and writes a recipe for them that has every key with a comment.

  capgraph init dataset_coco.json
  capgraph run
  capgraph init --train
  capgraph train --dry-run`
}

// recipeHead begins a recipe that the command writes.
const recipeHead = `# The recipe of a run: from captions to scene graphs to positive and hard-negative texts. It has every key except those of a
# served model and of how balance learns. All keys except those of source and output have defaults and can be left out.
`

// Run implements the command.
func (c *initCommand) Run(ctx context.Context, std streams) error {
	files := std.files
	switch {
	case c.Train && len(c.Paths) > 0:
		return usage.Errorf("--train reads no captions: leave out %s, and name the texts in the recipe that it writes", text.Quote(c.Paths[0]))
	case !c.Train && len(c.Paths) == 0:
		return usage.Errorf("expected \"<path> ...\": name captions, or --train for the recipe of a training")
	}
	if c.Output == "" {
		c.Output = defaultRecipe
		if c.Train {
			c.Output = defaultTrainRecipe
		}
	}
	if c.Output != "-" {
		if _, err := files.Stat(c.Output); err == nil {
			keys := "source.format and source.paths"
			if c.Train {
				keys = "data.corpora, model.config and model.init"
			}
			return usage.Errorf("%s exists already and is kept: set %s there, move it, or name another file with -o", c.Output, keys)
		}
	}
	if c.Train {
		return c.writeTrainRecipe(std)
	}
	found, err := sources.Recognise(ctx, files, c.Paths...)
	if err != nil {
		var unknown *sources.UnknownError
		if errors.As(err, &unknown) && c.All {
			err = &usage.Error{Text: unknown.All()}
		}
		if !store.IsEnvironmentError(err) && !errors.As(err, &unknown) && ctx.Err() == nil {
			err = &usage.Error{Text: err.Error()}
		}
		return err
	}
	licence, card := findLicence(files, found.Files, found.Options.Format)
	recipe, err := config.Write(recipeHead, found.Options, licence, c.outputFolder(files))
	if err != nil {
		return err
	}
	if err := c.writeRecipe(std, recipe); err != nil {
		return err
	}
	return c.printFound(std, found, licence, card)
}

// writeRecipe writes the recipe.
func (c *initCommand) writeRecipe(std streams, recipe string) error {
	out, err := createOutput(c.Output, std)
	if err != nil {
		return err
	}
	defer out.discard()
	if _, err := io.WriteString(out, recipe); err != nil {
		return err
	}
	return out.publish()
}

// writeTrainRecipe writes the recipe of a training, and prints the next command.
func (c *initCommand) writeTrainRecipe(std streams) error {
	// The path of the schema is relative to the repository, but the new recipe may be anywhere.
	recipe := strings.TrimPrefix(capgraph.TrainRecipe, "# yaml-language-server: $schema=../../train.schema.json\n#\n")
	recipe = strings.ReplaceAll(recipe, "docs/recipes/train.finetune.yaml", c.recipeName())
	if err := c.writeRecipe(std, recipe); err != nil || c.Output == "-" {
		return err
	}
	w := inspect.NewPrinter(std.out)
	fmt.Fprintf(w, "wrote %s\nnext: set data.corpora, model.config and model.init there, then capgraph train %s --dry-run\n", c.Output, text.Quote(c.Output))
	return w.Err()
}

// recipeName returns the file name of the recipe, for the examples in its comments.
func (c *initCommand) recipeName() string {
	if c.Output == "-" {
		return defaultTrainRecipe
	}
	return text.Quote(c.Output)
}

// init warns about the cost of manyFiles files or more if their mean size is below smallFile bytes.
const (
	manyFiles = 1000
	smallFile = 20 << 10
)

// printFound prints what was found, and the next command.
func (c *initCommand) printFound(std streams, found sources.Found, licence, card string) error {
	w := inspect.NewPrinter(std.out)
	if c.Output == "-" {
		w = inspect.NewPrinter(std.err)
	}
	size := int64(0)
	for _, f := range found.Files {
		size += f.Size
	}
	fmt.Fprintf(w, "%s: %s, %s, %s bytes\n", strings.Join(found.Options.Paths, ", "), found.Options.Format, text.Counted(len(found.Files), "file", "files"), text.Thousands(size))
	for _, r := range found.Roles {
		if len(r.Columns) == 0 { // a line is an image and its caption
			continue
		}
		fmt.Fprintf(w, "%s in %s %s", map[string]string{sources.Caption: "captions are", sources.Image: "images are", sources.Phrases: "the objects of captions are marked"}[r.Role],
			text.Plural(len(r.Columns), "column", "columns"), strings.Join(r.Columns, ", "))
		if !r.Sure {
			fmt.Fprintf(w, " (not sure: the name is not a usual one; check source.columns.%s)", r.Role)
		}
		fmt.Fprintln(w)
	}
	printLengths(w, found)
	if len(found.Roles) > 0 && found.Options.Columns[sources.Key] == nil && found.AllowsKeyColumn() {
		fmt.Fprintln(w, "keys are of file and row: no column is taken for the key (source.columns.key)")
	}
	if len(found.OtherColumns) > 0 {
		fmt.Fprintf(w, "not read: %s\n", text.List(found.OtherColumns))
	}
	fmt.Fprintf(w, "a caption: %s\n", inspect.Shorten(strings.Join(strings.Fields(found.Caption), " ")))
	printTexts(w, found)
	if licence != "" {
		fmt.Fprintf(w, "licence of the captions: %s, from %s (source.licence)\n", licence, card)
	}
	printWarnings(w, found)
	if len(found.Splits) == 0 {
		printFileSplits(w, found)
	}
	if n := int64(len(found.Files)); n >= manyFiles && size < n*smallFile {
		fmt.Fprintf(w, "the mean size of the files is %s, and each becomes a shard with %d output files and about 30 KB of overhead: join them first (docs/inputs.md)\n",
			text.Counted(size/n, "byte", "bytes"), folder.CountShardFiles())
	}
	if c.Output != "-" {
		next := "capgraph run"
		if c.Output != defaultRecipe {
			next += " " + text.Quote(c.Output)
		}
		fmt.Fprintf(w, "\nwrote %s\nnext: %s\n", c.Output, next)
	}
	return w.Err()
}

// printTexts prints how the texts are read, and how to read them otherwise: encoding, captions per
// text, tags, language.
func printTexts(w io.Writer, found sources.Found) {
	if e := found.Options.Encoding; e != "" {
		fmt.Fprintf(w, "the text is not UTF-8: it is read as %s (source.encoding)\n", e)
	}
	t := found.Texts
	of := text.Counted(t.Captions, "caption", "captions")
	const each, one = "to read each as a caption: --set source.lines=" + sources.LinesEach, "to read a text as one caption: --set source.lines=" + sources.LinesOne
	switch {
	case found.Options.Lines == sources.LinesEach && t.LinesEach+t.LinesOne == 0:
		fmt.Fprintf(w, "captions are divided by line ends, bars or semicolons, and each part is a caption; %s\n", one)
	case found.Options.Lines == sources.LinesEach:
		fmt.Fprintf(w, "texts have several lines, and each line is a caption; %s\n", one)
	case found.Options.Lines == sources.LinesOne:
		fmt.Fprintf(w, "texts have several lines, and each text is one caption; %s\n", each)
	case 5*t.Parted >= t.Captions && t.Parted > 0:
		fmt.Fprintf(w, "%d of the first %s have parts divided by line ends, bars or semicolons, and are read as one caption each; %s\n", t.Parted, of, each)
	}
	if t.Unread != "" {
		fmt.Fprintf(w, "KEY.%s is not read, since there is another text of the caption; to read it: --set source.columns.caption=%s\n", t.Unread, t.Unread)
	}
	if 2*t.Tags > t.Captions {
		fmt.Fprintf(w, "%d of the first %s are lists of tags: their graphs have no relations across commas; to reject them: --set filter.tags=reject\n", t.Tags, of)
	}
	if 10*t.Bare > 9*t.Captions {
		fmt.Fprintf(w, "%d of the first %s have no word such as a, of or is: they may be lists of tags or titles, and are read as sentences\n", t.Bare, of)
	}
	if 2*t.Foreign > t.Captions {
		fmt.Fprintf(w, "%d of the first %s are not English, and are rejected; to keep them without graphs: --set clean.language=any\n", t.Foreign, of)
	}
}

// printWarnings prints which files were skipped, that no images were found, and which splits the
// corpus has.
func printWarnings(w io.Writer, found sources.Found) {
	for i, p := range found.PassedOver {
		if i == text.MaxListed {
			fmt.Fprintf(w, "passed over: %s more\n", text.Counted(len(found.PassedOver)-i, "file", "files"))
			break
		}
		what := "passed over"
		if p.Read {
			what = "look at"
		}
		fmt.Fprintf(w, "%s: %s: %s\n", what, p.Name, p.Reason)
	}
	if found.Unseen > 0 {
		fmt.Fprintf(w, "not looked into, since there are many: %s\n", text.Counted(found.Unseen, "file", "files"))
	}
	if n := found.ImageMembers; len(n) > 0 {
		fmt.Fprintf(w, "no member is the image: a sample has .%s; choose with --set source.columns.image=%s\n", strings.Join(n, ", ."), n[0])
	} else if !found.HasImages {
		fmt.Fprintln(w, "no row names an image: captions of one image are not compared; set source.columns.image, if a column names it")
	}
	var splits, wanted []string
	for _, name := range slices.Sorted(maps.Keys(found.Splits)) {
		if !sources.IsHeldOut(name) {
			wanted = append(wanted, name)
		}
		splits = append(splits, fmt.Sprintf("%s %s", name, text.Thousands(found.Splits[name])))
	}
	if len(splits) > 0 {
		fmt.Fprintf(w, "splits, with their captions: %s; all are read; to choose: --set 'source.where.split=in (%s)'\n", strings.Join(splits, ", "), cmp.Or(strings.Join(wanted, ", "), "train"))
	}
}

// printFileSplits prints the splits that the names of the files show, such as train and val.
func printFileSplits(w io.Writer, found sources.Found) {
	splits := sources.SplitsByName(found.Files)
	if len(splits) == 0 {
		return
	}
	var said []string
	for _, s := range splits {
		said = append(said, fmt.Sprintf("%s %s", cmp.Or(s.Name, "none"), text.Counted(len(s.Files), "file", "files")))
	}
	choose := "name the files of one in source.paths"
	if paths := sources.TrainingPaths(splits); paths != "" {
		choose = "--set 'source.paths=" + paths + "'"
	}
	fmt.Fprintf(w, "splits, by the names of the files: %s; all are read; to choose: %s\n", strings.Join(said, ", "), choose)
}

// outputFolder returns the output folder for the recipe. It is named after the corpus, with the
// file extension or a number added if the name is taken by a folder or by a recipe beside this one.
func (c *initCommand) outputFolder(files store.Store) string {
	taken := map[string]bool{}
	for _, recipe := range recipesBeside(files, c.Output) {
		for line := range strings.Lines(recipe) {
			if dir, ok := strings.CutPrefix(strings.TrimSpace(line), "dir: "); ok {
				dir, _, _ = strings.Cut(dir, " #")
				taken[strings.Trim(strings.TrimSpace(dir), `"'`)] = true
			}
		}
	}
	name := "out/" + corpusName(c.Paths[0])
	candidates := []string{name}
	if ext := strings.TrimPrefix(path.Ext(strings.TrimSuffix(strings.TrimSuffix(c.Paths[0], ".gz"), ".zst")), "."); ext != "" && !store.IsGlob(ext) {
		candidates = append(candidates, name+"-"+ext)
	}
	for n := 2; n < 100; n++ {
		candidates = append(candidates, fmt.Sprintf("%s-%d", name, n))
	}
	for _, dir := range candidates {
		if _, err := files.Stat(dir); err != nil && !taken[dir] {
			return dir
		}
	}
	return name
}

const (
	// recipesRead is the largest number of recipes to read beside the new one, and recipeBytes the
	// largest size of one.
	recipesRead = 256
	recipeBytes = 1 << 20
)

// recipesBeside returns the contents of the recipes in the same folder as output.
func recipesBeside(files store.Store, output string) (all []string) {
	if output == "-" {
		output = defaultRecipe
	}
	infos, _ := files.List(store.Dir(output)) // a missing folder has no recipes
	for _, i := range infos {
		if i.Dir || i.Special || path.Ext(i.Name) != ".yaml" || i.Size > recipeBytes || len(all) == recipesRead {
			continue
		}
		f, err := files.Open(i.Name)
		if err != nil {
			continue
		}
		data, err := io.ReadAll(f)
		f.Close()
		if err == nil {
			all = append(all, string(data))
		}
	}
	return all
}

// corpusName returns the name of a corpus for its output folder: of its file or folder, or of the
// folder of a glob, without extensions.
func corpusName(name string) string {
	name = store.Clean(name)
	for store.IsGlob(path.Base(name)) {
		name = store.Dir(name)
	}
	stem, _, _ := strings.Cut(path.Base(name), ".")
	if stem == "" || stem == "/" {
		return "captions"
	}
	return stem
}
