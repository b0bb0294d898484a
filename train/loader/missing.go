package loader

import (
	"context"
	"errors"
	"io/fs"

	"capgraph/images"
)

// Of at most missingShards shards, spread over all, MissingImages looks for missingImages images.
const (
	missingShards = 64
	missingImages = 16
)

// Missing is what MissingImages found.
type Missing struct {
	// Looked is how many images were looked for, Missing how many of them do not exist.
	Looked, Missing int
	// First is the error of the first missing image.
	First error
}

// MissingImages looks for the first images of shards that are spread over the corpora, and counts
// those that do not exist. The error is one of the texts or of the machine.
func (l *Loader) MissingImages(ctx context.Context) (Missing, error) {
	var m Missing
	var buf []byte
	for _, stream := range l.epochs.lists {
		step := max(1, len(stream.shards)/missingShards)
		for i := 0; i < len(stream.shards); i += step {
			shard, n := &stream.shards[i], 0
			for rows, err := range readShard(stream.store, shard, false) {
				if err != nil {
					return m, err
				}
				set, row := l.feeder.options.Corpora[shard.corpus].Images, rows.rows[0]
				name := row.Image
				if images.ByKey(set) {
					name = row.Key
				}
				encoded, err := set.Read(ctx, shard.name, name, buf)
				switch {
				case errors.Is(err, fs.ErrNotExist):
					if m.Missing++; m.First == nil {
						m.First = err
					}
				case err == nil:
					buf = encoded
				case ctx.Err() != nil:
					return m, err
				}
				m.Looked++
				if n++; n == missingImages {
					break
				}
			}
		}
	}
	return m, nil
}
