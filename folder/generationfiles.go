package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"capgraph/internal/counts"
	"capgraph/schemas"
)

// Generation records from what the texts of an earlier generation were made: their plan, and hashes
// of copies of the vocabulary and of the weights of n-grams.
type Generation struct {
	Generation int // the newest one when the texts were made
	Texts      *PassPlan
	Files      []FileHash
}

// VocabularySHA256 returns the SHA-256 of the vocabulary of the generation.
func (e *Generation) VocabularySHA256() string {
	for _, f := range e.Files {
		if path.Base(f.Name) == Vocabulary+".parquet" {
			return f.SHA256
		}
	}
	return ""
}

// earlierDir holds copies of the files from which the texts of each generation but the newest were
// made. Below the folder of the generation they have the names that they have in MetaDir.
const earlierDir = MetaDir + "/before"

func generationFile(generation int, name string) string {
	return path.Join(earlierDir, fmt.Sprintf("%05d", generation), strings.TrimPrefix(name, MetaDir))
}

// generationFiles returns the names of the files that are kept of a generation.
func generationFiles() []string {
	names := []string{PlanFile(PassTexts)}
	for _, pass := range []Pass{PassCount, PassBalance} {
		names = append(names, PlanFile(pass), EntryFile(pass, Whole))
	}
	return append(names, ReducedFile(Vocabulary), ReducedFile(Balance))
}

// KeepGeneration copies the files from which the texts of the newest generation were made. The
// error is ErrJoined if other files were appended since the index was read, since the copied files
// may then belong to later texts.
func (f Folder) KeepGeneration(x *Index) error {
	for _, name := range generationFiles() {
		err := f.copyFile(name, generationFile(x.Generations, name), x)
		if err == nil {
			continue
		}
		if joined, _ := f.hasNextIndex(x); joined {
			return ErrJoined
		}
		return err
	}
	return nil
}

// ErrJoined is the error of a folder to which other files were appended since its index was read.
var ErrJoined = errors.New("other files joined the folder")

// hasNextIndex reports whether files were appended since the index was read.
func (f Folder) hasNextIndex(x *Index) (bool, error) { return f.Exists(indexFile(x.Generations + 1)) }

// copyFile copies a file of the folder. It replaces a copy that a killed run left, unless files
// were appended since the index was read.
func (f Folder) copyFile(from, to string, x *Index) error {
	publish := func() error {
		in, err := f.Store.Open(f.Path(from))
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := f.CreateFile(to)
		if err != nil {
			return err
		}
		defer out.Discard()
		if _, err := io.Copy(out, io.NewSectionReader(in, 0, in.Size())); err != nil {
			return fmt.Errorf("read %s: %w", f.Path(from), err)
		}
		_, err = out.Publish()
		return err
	}
	err := publish()
	var other *OtherContentError
	if !errors.As(err, &other) {
		return err
	}
	if joined, err := f.hasNextIndex(x); err != nil || joined {
		return errors.Join(err, other)
	}
	if err := f.RemoveFile(to); err != nil {
		return err
	}
	return publish()
}

// CountReaderOf returns a function that opens the files of counts with which the texts of a shard
// were made: its generation's, if the shard is older than the newest files.
func (s *State) CountReaderOf(shard string) (func(name string) (iter.Seq2[schemas.Count, error], error), error) {
	e, err := s.Folder.ReadEntry(PassTexts, shard)
	if errors.Is(err, fs.ErrNotExist) {
		return s.Folder.ReadCounts, nil
	}
	if err != nil {
		return nil, err
	}
	kept, err := s.EarlierGenerations()
	for _, of := range kept {
		if of.Texts.Hash() != e.Plan {
			continue
		}
		return func(name string) (iter.Seq2[schemas.Count, error], error) {
			return s.Folder.openCounts(generationFile(of.Generation, ReducedFile(name)), counts.Read), nil
		}, nil
	}
	return s.Folder.ReadCounts, err
}

// removeGenerations removes the kept files of all generations.
func (f Folder) removeGenerations() error {
	generations, err := f.listGenerations()
	for _, dir := range generations {
		for _, name := range generationFiles() {
			if err := f.RemoveFile(path.Join(dir, strings.TrimPrefix(name, MetaDir))); err != nil {
				return err
			}
		}
	}
	return err
}

// listGenerations returns the folders of the generations of which all files are kept.
func (f Folder) listGenerations() (dirs []string, err error) {
	infos, err := f.Store.List(f.Path(earlierDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, info := range infos {
		dirs = append(dirs, path.Join(earlierDir, path.Base(info.Name)))
	}
	return dirs, err
}

// listGenerationDirs returns the folders that have any file of a generation.
func (f Folder) listGenerationDirs() (dirs []string, err error) {
	generations, err := f.listGenerations()
	for _, dir := range generations {
		for _, name := range generationFiles() {
			dirs = append(dirs, path.Dir(path.Join(dir, strings.TrimPrefix(name, MetaDir))))
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs), err
}

// EarlierGenerations reads the generations before the newest, except those without texts.
func (s *State) EarlierGenerations() ([]Generation, error) {
	var all []Generation
	for g := 0; s.Index != nil && g < s.Index.Generations; g++ {
		var of Generation
		of.Generation = g
		var err error
		if of.Texts, err = s.Folder.readPlan(PassTexts, generationFile(g, PlanFile(PassTexts))); err != nil {
			return nil, err
		}
		if of.Texts == nil {
			continue
		}
		for _, pass := range []Pass{PassCount, PassBalance} {
			var e Entry
			if err := s.Folder.ReadJSON(generationFile(g, EntryFile(pass, Whole)), &e); err != nil {
				return nil, err
			}
			for _, file := range e.Files {
				if file.Name == ReducedFile(Vocabulary) || file.Name == ReducedFile(Balance) {
					of.Files = append(of.Files, FileHash{generationFile(g, file.Name), file.SHA256, file.Bytes})
				}
			}
		}
		all = append(all, of)
	}
	return all, nil
}

// IsPlanOfEarlier reports whether a plan of the pass texts belongs to an earlier generation.
func (s *State) IsPlanOfEarlier(plan string) (bool, error) {
	all, err := s.EarlierGenerations()
	for _, of := range all {
		if of.Texts.Hash() == plan {
			return true, err
		}
	}
	return false, err
}

// CountStaleTexts counts the finished shards of texts/ that were made before files were appended,
// and all finished ones.
func (s *State) CountStaleTexts() (earlier, all int, err error) {
	finished := s.Finished(PassTexts)
	if s.Index == nil || s.Index.Generations == 0 || len(finished) == 0 {
		return 0, len(finished), nil
	}
	kept, err := s.EarlierGenerations()
	if err != nil || len(kept) == 0 {
		return 0, len(finished), err
	}
	now, err := s.Plan(PassTexts)
	if err != nil {
		return 0, 0, err
	}
	made, err := s.readCompacted(PassTexts)
	if err != nil {
		return 0, 0, err
	}
	for plan, n := range made.Shards {
		of := slices.ContainsFunc(kept, func(e Generation) bool { return e.Texts.Hash() == plan })
		if of && (now == nil || plan != now.Hash() || s.HasStaleAggregates()) {
			earlier += n
		}
	}
	return earlier, len(finished), nil
}
