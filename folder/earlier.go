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

// Earlier is what texts of before a generation joined a folder were made with: their plan,
// and the hashes of the vocabulary and of the weights of n-grams, which are kept.
type Earlier struct {
	Generation int // the last one that they knew of
	Texts      *PassPlan
	Files      []FileHash
}

// Vocabulary is the SHA-256 of the vocabulary of then.
func (e *Earlier) Vocabulary() string {
	for _, f := range e.Files {
		if path.Base(f.Name) == Vocabulary+".parquet" {
			return f.SHA256
		}
	}
	return ""
}

// earlierDir holds, of each generation but the last, what its texts were made with, under
// the names below MetaDir that it had.
const earlierDir = MetaDir + "/before"

func earlier(generation int, name string) string {
	return path.Join(earlierDir, fmt.Sprintf("%05d", generation), strings.TrimPrefix(name, MetaDir))
}

// keptFiles are the names of what is kept of a generation.
func keptFiles() []string {
	names := []string{PlanFile(PassTexts)}
	for _, pass := range []Pass{PassCount, PassBalance} {
		names = append(names, PlanFile(pass), EntryFile(pass, Whole))
	}
	return append(names, Reduced(Vocabulary), Reduced(Balance))
}

// KeepEarlier keeps what the texts of the last generation of an index were made with. The error
// is ErrJoined if other files joined the folder since the index was read: by then these may be
// the files of later texts.
func (f Folder) KeepEarlier(x *Index) error {
	for _, name := range keptFiles() {
		err := f.copy(name, earlier(x.Generations, name), x)
		if err == nil {
			continue
		}
		if joined, _ := f.joined(x); joined {
			return ErrJoined
		}
		return err
	}
	return nil
}

// ErrJoined says that other files joined a folder since its index was read.
var ErrJoined = errors.New("other files joined the folder")

// joined reports whether files joined the folder since its index was read.
func (f Folder) joined(x *Index) (bool, error) { return f.Exists(indexFile(x.Generations + 1)) }

// copy copies a file of the folder. Another content there, which a run that was killed left, gives
// way, unless files joined the folder since its index was read.
func (f Folder) copy(from, to string, x *Index) error {
	publish := func() error {
		in, err := f.Store.Open(f.Path(from))
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := f.Create(to)
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
	if joined, err := f.joined(x); err != nil || joined {
		return errors.Join(err, other)
	}
	if err := f.RemoveFile(to); err != nil {
		return err
	}
	return publish()
}

// CountsOf gives the files of counts that the texts of a shard are made with: those that are
// kept of before files joined the folder, where it was made then.
func (s *State) CountsOf(shard string) (func(name string) (iter.Seq2[schemas.Count, error], error), error) {
	e, err := s.Folder.Entry(PassTexts, shard)
	if errors.Is(err, fs.ErrNotExist) {
		return s.Folder.Counts, nil
	}
	if err != nil {
		return nil, err
	}
	kept, err := s.Earlier()
	for _, of := range kept {
		if of.Texts.Hash() != e.Plan {
			continue
		}
		return func(name string) (iter.Seq2[schemas.Count, error], error) {
			return s.Folder.counts(earlier(of.Generation, Reduced(name)), counts.Read), nil
		}, nil
	}
	return s.Folder.Counts, err
}

// removeEarlier removes what is kept of all generations.
func (f Folder) removeEarlier() error {
	generations, err := f.generationsKept()
	for _, dir := range generations {
		for _, name := range keptFiles() {
			if err := f.RemoveFile(path.Join(dir, strings.TrimPrefix(name, MetaDir))); err != nil {
				return err
			}
		}
	}
	return err
}

// generationsKept are the folders of what is kept.
func (f Folder) generationsKept() (dirs []string, err error) {
	infos, err := f.Store.List(f.Path(earlierDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, info := range infos {
		dirs = append(dirs, path.Join(earlierDir, path.Base(info.Name)))
	}
	return dirs, err
}

// keptDirs are all folders that have a file of what is kept.
func (f Folder) keptDirs() (dirs []string, err error) {
	generations, err := f.generationsKept()
	for _, dir := range generations {
		for _, name := range keptFiles() {
			dirs = append(dirs, path.Dir(path.Join(dir, strings.TrimPrefix(name, MetaDir))))
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs), err
}

// Earlier reads what is kept of the generations before the last. None is kept of one that
// no texts are of any more.
func (s *State) Earlier() ([]Earlier, error) {
	var all []Earlier
	for g := 0; s.Index != nil && g < s.Index.Generations; g++ {
		var of Earlier
		of.Generation = g
		var err error
		if of.Texts, err = s.Folder.readPlan(PassTexts, earlier(g, PlanFile(PassTexts))); err != nil {
			return nil, err
		}
		if of.Texts == nil {
			continue
		}
		for _, pass := range []Pass{PassCount, PassBalance} {
			var e Entry
			if err := s.Folder.ReadJSON(earlier(g, EntryFile(pass, Whole)), &e); err != nil {
				return nil, err
			}
			for _, file := range e.Files {
				if file.Name == Reduced(Vocabulary) || file.Name == Reduced(Balance) {
					of.Files = append(of.Files, FileHash{earlier(g, file.Name), file.SHA256, file.Bytes})
				}
			}
		}
		all = append(all, of)
	}
	return all, nil
}

// MadeEarlier tells whether a plan of the pass texts is one of before files joined.
func (s *State) MadeEarlier(plan string) (bool, error) {
	all, err := s.Earlier()
	for _, of := range all {
		if of.Texts.Hash() == plan {
			return true, err
		}
	}
	return false, err
}

// TextsOfEarlier counts the shards of texts/ that were made before files joined the folder,
// by what is kept of then, and all that are finished.
func (s *State) TextsOfEarlier() (earlier, all int, err error) {
	finished := s.Finished(PassTexts)
	if s.Index == nil || s.Index.Generations == 0 || len(finished) == 0 {
		return 0, len(finished), nil
	}
	kept, err := s.Earlier()
	if err != nil || len(kept) == 0 {
		return 0, len(finished), err
	}
	now, err := s.Plan(PassTexts)
	if err != nil {
		return 0, 0, err
	}
	made, err := s.compact(PassTexts)
	if err != nil {
		return 0, 0, err
	}
	for plan, n := range made.Shards {
		of := slices.ContainsFunc(kept, func(e Earlier) bool { return e.Texts.Hash() == plan })
		if of && (now == nil || plan != now.Hash() || s.Outgrown()) {
			earlier += n
		}
	}
	return earlier, len(finished), nil
}
