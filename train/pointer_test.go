package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/store"
	"capgraph/train/checkpoint"
	"capgraph/train/model"
	"capgraph/train/tokenizer"
)

// TestPointersOfCheckpoints says of the files of a checkpoint that Git LFS left a pointer of which file is
// one, and how it is fetched.
func TestPointersOfCheckpoints(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	for _, c := range []struct {
		name string
		read func(path string) error
	}{
		{"model.safetensors", func(path string) error { _, err := checkpoint.Open(store.Local{}, path); return err }},
		{"open_clip_config.json", func(path string) error { _, err := model.Read(store.Local{}, filepath.Dir(path)); return err }},
		{"config.json", func(path string) error { _, err := model.Read(store.Local{}, filepath.Dir(path)); return err }},
		{"my_model.json", func(path string) error { _, err := model.Read(store.Local{}, path); return err }},
		{"tokenizer.json", func(path string) error { _, err := tokenizer.OpenLearned(store.Local{}, path); return err }},
		{"unigram.json", func(path string) error { _, err := tokenizer.OpenUnigram(store.Local{}, path); return err }},
		{"bpe_simple_vocab_16e6.txt.gz", func(path string) error { _, err := tokenizer.OpenCLIP(store.Local{}, path); return err }},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(pointer), 0o600); err != nil {
			t.Fatal(err)
		}
		err := c.read(path)
		if err == nil || !strings.Contains(err.Error(), c.name+": is a Git LFS pointer") || !strings.Contains(err.Error(), "git lfs pull") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
