package stages

import (
	"capgraph/folder"
	"capgraph/pipeline"
)

// Sampling is what keeps samples, as of a corpus that is many times as large as least.
func Sampling(least int64) func(*folder.Index) *pipeline.Sample {
	return sampleSize{least}.chooseSample
}
