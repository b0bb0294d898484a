// Package build says which build of capgraph this is, and records it beside what it makes.
package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"capgraph"
	"capgraph/store"
)

// Build identifies a build. Two builds of one commit for one platform are equal.
type Build struct {
	Version string `json:"version"`
	// Commit is empty if the source was not in a git checkout, or go build was run with
	// -buildvcs=false.
	Commit string `json:"commit,omitempty"`
	// Modified reports whether files differed from the commit.
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Tags     string `json:"tags,omitempty"`
}

// This returns the build that is running.
var This = sync.OnceValue(func() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describeBuild(info)
})

func describeBuild(info *debug.BuildInfo) Build {
	b := Build{Version: capgraph.Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		case "-tags":
			b.Tags = s.Value
		}
	}
	return b
}

// String is one line: "0.1.0 (commit 5d0f…, modified) go1.26.8 linux/amd64".
func (b Build) String() string {
	commit := "commit unknown"
	if b.Commit != "" {
		commit = "commit " + b.Commit
	}
	if b.Modified {
		commit += ", modified"
	}
	s := fmt.Sprintf("%s (%s) %s %s", b.Version, commit, b.Go, b.Platform)
	if b.Tags != "" {
		s += " -tags " + b.Tags
	}
	return s
}

// file returns the content of the file of a build, and its name, which is a hash of the content:
// builds that write at the same time write different files or equal ones.
func (b Build) file() (name string, data []byte, err error) {
	data, err = json.MarshalIndent(b, "", "  ")
	if err != nil {
		return "", nil, err
	}
	data = append(data, '\n')
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8]) + ".json", data, nil
}

// Record writes the file of the build to a folder, unless it is there.
func (b Build) Record(s store.Store, dir string) error {
	name, data, err := b.file()
	if err != nil {
		return err
	}
	name = store.Join(dir, name)
	if _, err := s.Stat(name); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err = store.WriteFile(s, name, data)
	if errors.Is(err, store.ErrExists) { // another process was faster
		return nil
	}
	return err
}

// maxFile bounds the file of a build, in bytes.
const maxFile = 64 << 10

// Read returns the builds that a folder records, in the order of their file names; none if the
// folder is not there.
func Read(s store.Store, dir string) ([]Build, error) {
	infos, err := s.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var builds []Build
	for _, info := range infos {
		base := path.Base(info.Name)
		if info.Dir {
			continue
		}
		if info.Size > maxFile {
			return nil, &DamagedError{info.Name}
		}
		data, err := store.ReadFile(s, info.Name, maxFile)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		var b Build
		if err := json.Unmarshal(data, &b); err != nil || base != hex.EncodeToString(sum[:8])+".json" {
			return nil, &DamagedError{info.Name}
		}
		builds = append(builds, b)
	}
	return slices.Clip(builds), nil
}

// DamagedError is the error of a file whose name is not the hash of its content.
type DamagedError struct{ Name string }

func (e *DamagedError) Error() string {
	return e.Name + " does not hold the build that its name is a hash of (remove it)"
}
