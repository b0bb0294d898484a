package pipeline

import (
	"context"

	"capgraph/folder"
	"capgraph/store"
)

// scanCache keeps the scan results of an unfinished index, by source file.
type scanCache struct {
	folder folder.Folder
	plan   string
}

// openScanCache returns the cache of a corpus that is divided by the settings of Output. It returns
// nil for a single file, whose scan cannot be resumed.
func (ix *indexer) openScanCache(c *Corpus, files int) (*scanCache, error) {
	if files < 2 {
		return nil, nil
	}
	plan, err := folder.NewPlan(folder.PassIndex, "", "", c.indexSettings(ix.Output, nil))
	if err != nil {
		return nil, err
	}
	return &scanCache{ix.Folder, plan.Hash()}, nil
}

// scanOnce returns the result of Corpus.scanIntoShards, from the cache if the file has not changed
// since.
func (s *scanCache) scanOnce(ctx context.Context, c *Corpus, i int, o Output, progress *Progress, seen *sourceFacts) (folder.SourceFile, []folder.Shard, error) {
	if s == nil {
		return c.scanIntoShards(ctx, i, o, progress, seen)
	}
	key := fileKey(c.Names[i])
	kept, err := s.folder.ReadScanResult(key)
	if err != nil {
		return folder.SourceFile{}, nil, err
	}
	if kept != nil && kept.Plan == s.plan && kept.File.Name == c.Names[i] && kept.File.Size == c.Files[i].Size {
		err := c.checkContent(c.Files[i], kept.File)
		if err == nil {
			progress.addRows(kept.File.Rows, 0)
			seen.addFile(&sourceFacts{cached: true})
			return kept.File, kept.Shards, nil
		}
		if err = classifySourceError(err); store.IsUnreachable(err) {
			return folder.SourceFile{}, nil, err
		}
	}
	file, shards, err := c.scanIntoShards(ctx, i, o, progress, seen)
	if err == nil && file.Error == "" {
		err = s.folder.WriteScanResult(key, &folder.ScanResult{Plan: s.plan, File: file, Shards: shards})
	}
	return file, shards, err
}
