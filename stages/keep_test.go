package stages_test

import (
	"context"
	"errors"
	"path"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/testing/fakevllm"
	"capgraph/testing/faultstore"
	"capgraph/testing/storetest"
)

// A shard is published once its replies are in the store: where they cannot be put, the
// run ends and the shard is not there.
func TestRepliesAreKeptBeforeTheirShard(t *testing.T) {
	server := fakevllm.New(fakevllm.Config{})
	defer server.Close()
	bucket, url, _ := storetest.Bucket(t)
	var puts atomic.Int64
	away := errors.New("the store is away")
	st := faultstore.New(bucket, func(_ int64, op faultstore.Op, name string) error {
		if op == faultstore.Publish && strings.HasPrefix(path.Base(name), "replies-") && puts.Add(1) > 1 {
			return away
		}
		return nil
	})
	source, dir := manyShards(t, 3), t.TempDir()
	do := func(pass folder.Pass) error {
		r := newRun(t, st, memory.NewGoAllocator(), source, dir, 1, "output.shard_rows=4", "parse.parser=llm", "parse.model=m", "parse.reply=plain",
			"parse.endpoints="+server.URL, "parse.cache="+url+"/replies")
		return r.Do(context.Background(), pass)
	}
	if err := do(folder.PassIndex); err != nil {
		t.Fatal(err)
	}
	if err := do(folder.PassParse); !errors.Is(err, away) {
		t.Fatalf("error is %v", err)
	}
	made := 0
	for name := range files(t, dir) {
		if strings.Contains(name, "entries/parse/") {
			made++
		}
	}
	if made != 1 {
		t.Errorf("%d shards are published, want the one whose replies could be put", made)
	}
}
