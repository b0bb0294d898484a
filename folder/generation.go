package folder

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// The files of the first index of a folder are generation 0. Each time files are appended, they are the next
// generation: an index file of their own names their shards. What was written before stays.

// indexFile returns the name of the index file of a generation.
func indexFile(generation int) string {
	if generation == 0 {
		return IndexFile
	}
	return fmt.Sprintf("%s/index-%05d.json", MetaDir, generation)
}

// planSeparator separates, in the input of a plan, the plan of the index from the plan of the newest generation: "2f1c… and 90ab…".
const planSeparator = " and "

// MissingShardMarker precedes the name of each shard that the input of a plan lacks:
// "2f1c… without train-00003-of-00010".
const MissingShardMarker = " without "

// PlanInput returns what follows the index's plan hash in the input of a pass over the whole folder: " and 90ab…", or
// "" if no files were appended.
func (x *Index) PlanInput() string {
	if x.Generations == 0 {
		return ""
	}
	return planSeparator + x.grown
}

// hashGrownPlan returns a hash of the plan before a generation and of the names of its files.
func hashGrownPlan(before string, files []SourceFile) string {
	h := sha256.New()
	io.WriteString(h, before)
	for _, f := range files {
		io.WriteString(h, "\n"+f.Name)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// newestPlan returns the plan of the newest generation.
func (x *Index) newestPlan() string {
	if x.Generations == 0 {
		return x.Plan
	}
	return x.grown
}

// CountFirstFiles returns the number of files of the first index. They come first.
func (x *Index) CountFirstFiles() int {
	n := 0
	for n < len(x.Files) && x.Files[n].Generation == 0 {
		n++
	}
	return n
}

// generationIndex returns the content of the index file of a generation.
func (x *Index) generationIndex(generation int, plan string) *Index {
	part := &Index{Plan: plan, Shards: []Shard{}}
	if generation == 0 {
		part.Format, part.Keep = x.Format, x.Keep
	}
	for _, f := range x.Files {
		if f.Generation == generation {
			part.Files = append(part.Files, f)
		}
	}
	for _, s := range x.Shards {
		if x.Files[s.File].Generation == generation {
			part.Shards = append(part.Shards, s)
		}
	}
	return part
}

// addGeneration adds to x the content of the index file of a generation.
func (x *Index) addGeneration(part *Index) error {
	if want := hashGrownPlan(x.newestPlan(), part.Files); part.Plan != want {
		return fmt.Errorf("its plan is %q, and %s that of its files after those before", part.Plan, want)
	}
	for _, f := range part.Files {
		f.Generation = x.Generations + 1
		x.Files = append(x.Files, f)
	}
	x.Shards = append(x.Shards, part.Shards...)
	x.Generations++
	x.grown = part.Plan
	return nil
}

// AppendIndex publishes files as the next generation of a folder, and returns the index with them.
// The numbers of their shards follow the numbers in the index. The error is ErrJoined if another process
// appended files in the meantime.
func (f Folder) AppendIndex(x *Index, files []SourceFile, shards []Shard) (*Index, error) {
	part := &Index{Plan: hashGrownPlan(x.newestPlan(), files), Files: files, Shards: shards}
	var other *OtherContentError
	if err := f.PublishJSON(indexFile(x.Generations+1), part); errors.As(err, &other) {
		return nil, ErrJoined
	} else if err != nil {
		return nil, err
	}
	return f.ReadIndex()
}

// ReplaceIndex writes the index file of the generation that a file belongs to.
func (f Folder) ReplaceIndex(x *Index, file int) error {
	generation, plan := x.Files[file].Generation, x.Plan
	for g := 1; g <= generation; g++ {
		plan = hashGrownPlan(plan, x.generationIndex(g, "").Files)
	}
	return f.ReplaceJSON(indexFile(generation), x.generationIndex(generation, plan))
}

// RemoveIndex removes the index files of all generations, the first one last.
func (f Folder) RemoveIndex() error {
	infos, err := f.Store.List(f.MetaPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, info := range slices.Backward(infos) {
		if base := path.Base(info.Name); strings.HasPrefix(base, "index-") && strings.HasSuffix(base, ".json") {
			if err := f.storeWithin().Remove(info.Name); err != nil {
				return err
			}
		}
	}
	if err := f.RemoveFile(IndexFile); err != nil {
		return err
	}
	return f.removeFiles(BuildsDir(PassIndex))
}

// HasStaleAggregates reports whether files were appended after the passes over the whole folder
// were made.
func (s *State) HasStaleAggregates() bool {
	if s.Index == nil || s.Index.Generations == 0 {
		return false
	}
	plan := s.passes[PassCount].plan
	if plan == nil {
		return false
	}
	input, _, _ := strings.Cut(plan.Input, MissingShardMarker)
	return !strings.HasSuffix(input, s.Index.PlanInput())
}
