package folder

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Entry records that a shard is finished in a pass. It has no time and no path of a machine: equal
// input, equal entry.
type Entry struct {
	Pass  Pass   `json:"pass"`
	Shard string `json:"shard"`
	// Plan is the hash of all settings that the bytes depend on.
	Plan string `json:"plan"`
	// Vocabulary is the SHA-256 of the vocabulary that texts were made with; "" in other passes.
	Vocabulary string `json:"vocabulary,omitempty"`

	RowsIn  int64            `json:"rows_in"`
	RowsOut int64            `json:"rows_out"`
	Rejects map[string]int64 `json:"rejects"`
	Stats   map[string]int64 `json:"stats,omitempty"`
	// Warnings are shown by each run.
	Warnings []string   `json:"warnings,omitempty"`
	Files    []FileHash `json:"files"`
	// Sum is a hash of all other fields. Seal sets it.
	Sum string `json:"sum,omitempty"`
}

// Seal sets Sum to the hash of all other fields. An entry with another one is damaged.
func (e *Entry) Seal() (err error) {
	e.Sum, err = e.checksum()
	return err
}

// checksum returns the hash of all other fields, after they are written as JSON and read again, as
// ReadEntry sees them.
func (e *Entry) checksum() (string, error) {
	said := *e
	said.Sum = ""
	text, err := json.Marshal(&said)
	if err != nil {
		return "", err
	}
	var again Entry
	if err := json.Unmarshal(text, &again); err != nil {
		return "", err
	}
	if text, err = json.Marshal(&again); err != nil {
		return "", err
	}
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:8]), nil
}

// DeclareDone declares a shard done: it publishes its files, adds them to its entry, and publishes
// the entry last. No other function writes an entry. Until the entry exists, the shard counts as
// not done, and the next run makes it again.
func (f Folder) DeclareDone(e *Entry, files ...*File) error {
	for _, file := range files {
		hash, err := file.Publish()
		if err != nil {
			return err
		}
		e.Files = append(e.Files, hash)
	}
	if !e.Pass.IsByShard() { // the tasks of such a pass finish in any order
		slices.SortFunc(e.Files, func(a, b FileHash) int { return strings.Compare(a.Name, b.Name) })
	}
	if err := e.Seal(); err != nil {
		return err
	}
	return f.PublishJSON(EntryFile(e.Pass, e.Shard), e)
}

// HasFile reports whether the entry names a file.
func (e *Entry) HasFile(file string) bool {
	return slices.ContainsFunc(e.Files, func(f FileHash) bool { return f.Name == file })
}

// SHA256 returns the hash of a file that the entry names; "" if it names no such file.
func (e *Entry) SHA256(file string) string {
	for _, f := range e.Files {
		if f.Name == file {
			return f.SHA256
		}
	}
	return ""
}

// Failure has the reason why a shard failed. It is removed when the shard is finished.
type Failure struct {
	Pass  Pass   `json:"pass"`
	Shard string `json:"shard"`
	Rows  int64  `json:"rows"`
	Error string `json:"error"`
}

// ReadEntry reads the entry of a shard. The error wraps fs.ErrNotExist if the shard is not
// finished.
func (f Folder) ReadEntry(pass Pass, shard string) (*Entry, error) {
	var e Entry
	if err := f.ReadJSON(EntryFile(pass, shard), &e); err != nil {
		return nil, err
	}
	if e.Pass != pass || e.Shard != shard {
		return nil, f.damagedError(EntryFile(pass, shard), fmt.Errorf("it is of pass %q and shard %q", e.Pass, e.Shard))
	}
	for _, file := range e.Files {
		if !pass.mayOwnFile(shard, file.Name) {
			return nil, f.damagedError(EntryFile(pass, shard), fmt.Errorf("it names %q, which is no file of its pass and shard", file.Name))
		}
	}
	if sum, err := e.checksum(); err != nil || e.Sum != sum {
		return nil, f.damagedError(EntryFile(pass, shard), errors.Join(err, fmt.Errorf("its sum is %q, and the hash of its other fields is %q", e.Sum, sum)))
	}
	return &e, nil
}

// ListFinished lists the shards that have an entry of the pass.
func (f Folder) ListFinished(pass Pass) (map[string]bool, error) {
	return f.ListNames(passFile("entries", pass, ""))
}

// WriteFailure records why a shard failed.
func (f Folder) WriteFailure(e *Failure) error {
	return f.ReplaceJSON(failureFile(e.Pass, e.Shard), e)
}

// RemoveFailure removes the record that a shard failed.
func (f Folder) RemoveFailure(pass Pass, shard string) error {
	return f.RemoveFile(failureFile(pass, shard))
}

// Withdraw removes an entry and its files that were published just after another process replaced
// the plan.
func (f Folder) Withdraw(e *Entry) error {
	is, err := f.ReadEntry(e.Pass, e.Shard)
	if errors.Is(err, fs.ErrNotExist) || err == nil && is.Plan != e.Plan { // or the entry is the other process's
		return nil
	}
	if err == nil {
		err = f.RemoveFile(EntryFile(e.Pass, e.Shard))
	}
	for _, file := range e.Files {
		if is, wrong := f.HashFile(file.Name); wrong == nil && is == file {
			err = errors.Join(err, f.RemoveFile(file.Name))
		}
	}
	return err
}
