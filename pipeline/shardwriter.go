package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// shardWriter writes the output of a shard in a pass: its rows and rejects, or its counts, and its
// sample. The entry comes last.
type shardWriter struct {
	run           *passRun
	entry         folder.Entry
	failed        bool         // it failed before
	rows, rejects *parquetTemp // nil if the pass writes no rows
	sample        *parquetTemp // nil if the pass has no sample
	pick          func(arrow.Record) (arrow.Record, error)
}

// parquetTemp is a Parquet file under its temporary name.
type parquetTemp struct {
	*parquetio.Writer
	file *folder.File
}

func (p *passRun) newShardWriter(s folder.Shard) (*shardWriter, error) {
	w := &shardWriter{run: p, failed: p.state.HasFailure(p.pass.Name, s), entry: folder.Entry{
		Pass: p.pass.Name, Shard: s.Name, Plan: p.plan, Vocabulary: p.vocabulary,
		Rejects: map[string]int64{}, Stats: map[string]int64{},
	}}
	if err := w.openFiles(s.Name); err != nil {
		w.discardFiles()
		return nil, err
	}
	return w, nil
}

// openFiles creates the files that are written batch by batch.
func (w *shardWriter) openFiles(shard string) (err error) {
	p := w.run
	if p.schema != nil {
		o := p.writerOptions()
		o.CutBy, o.Distinct = schemas.ColText, schemas.Distinct
		if w.rows, err = p.createParquet(folder.DataFile(p.pass.Name, shard), p.schema, o); err != nil {
			return err
		}
		if w.rejects, err = p.createParquet(folder.RejectsFile(p.pass.Name, shard), schemas.RejectsSchema(), p.writerOptions()); err != nil {
			return err
		}
	}
	if p.sample != nil {
		o := p.writerOptions()
		o.Metadata[folder.SampleShare] = strconv.FormatUint(p.sample.OneIn, 10)
		w.pick = p.sample.Select(p.env.Mem)
		w.sample, err = p.createParquet(folder.SampleFile(p.pass.Name, shard), p.sample.Schema, o)
	}
	return err
}

func (p *passRun) createParquet(name string, schema *arrow.Schema, o parquetio.WriterOptions) (*parquetTemp, error) {
	file, err := p.folder.CreateFile(name)
	if err != nil {
		return nil, err
	}
	w, err := parquetio.NewWriter(file, schema, o)
	if err != nil {
		file.Discard()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &parquetTemp{w, file}, nil
}

func (p *passRun) writerOptions() parquetio.WriterOptions {
	return parquetio.WriterOptions{Metadata: map[string]string{
		"capgraph.format": folder.FormatVersion, "capgraph.pass": string(p.pass.Name), "capgraph.plan": p.plan,
	}}
}

// writeBatch writes the output of a finished job.
func (w *shardWriter) writeBatch(j *job) error {
	if w.rows != nil {
		if err := w.writeRows(j); err != nil {
			return err
		}
	}
	if w.sample != nil {
		if err := w.writeSample(j); err != nil {
			return err
		}
	}
	for _, r := range j.rejects {
		w.entry.Rejects[r.Reason]++
	}
	for name, n := range j.stats {
		w.entry.Stats[name] += n
	}
	w.entry.RowsIn += j.rows
	w.entry.RowsOut += j.in.NumRows()
	w.run.progress.addRows(j.rows, int64(len(j.rejects)))
	return nil
}

func (w *shardWriter) writeRows(j *job) error {
	rec, err := schemas.Select(j.in, w.run.schema)
	if err != nil {
		return fmt.Errorf("pass %s: %w", w.run.pass.Name, err)
	}
	defer rec.Release()
	if err := w.rows.Write(rec); err != nil || len(j.rejects) == 0 {
		return err
	}
	rejects := rejectsBatch(w.run.env.Mem, j.rejects)
	defer rejects.Release()
	return w.rejects.Write(rejects)
}

func (w *shardWriter) writeSample(j *job) error {
	rec, err := w.pick(j.in)
	if err != nil {
		return fmt.Errorf("pass %s, sample: %w", w.run.pass.Name, err)
	}
	defer rec.Release()
	return w.sample.Write(rec)
}

// finish closes the files of the shard and declares it done. If another process replaced the plan
// in the meantime, the entry is withdrawn. Else the failure of an earlier run is removed.
func (w *shardWriter) finish(ctx context.Context, counted *countCollector) error {
	if check := w.run.pass.Check; check != nil {
		if err := check(w.entry.Shard, w.entry.Stats, w.entry.Rejects); err != nil {
			return err
		}
	}
	var files []*folder.File
	for _, f := range w.openedFiles() {
		if err := f.Close(); err != nil {
			return err
		}
		files = append(files, f.file)
	}
	if w.entry.Pass.HasCounts() {
		file, err := w.writeCounts(ctx, counted)
		if err != nil {
			return err
		}
		defer file.Discard()
		files = append(files, file)
	}
	if err := w.run.checkPlanUnchanged(); err != nil {
		return err
	}
	if err := w.run.folder.DeclareDone(&w.entry, files...); err != nil {
		return err
	}
	if err := w.run.checkPlanUnchanged(); err != nil {
		return errors.Join(err, w.run.folder.Withdraw(&w.entry))
	}
	if !w.failed {
		return nil
	}
	return w.run.folder.RemoveFailure(w.entry.Pass, w.entry.Shard)
}

// writeCounts writes the counts of the shard under a temporary name.
func (w *shardWriter) writeCounts(ctx context.Context, counted *countCollector) (*folder.File, error) {
	rows, err := counted.sortedRows(ctx)
	if err != nil {
		return nil, err
	}
	file, err := w.run.folder.CreateFile(folder.CountsFile(w.entry.Pass, w.entry.Shard))
	if err != nil {
		return nil, err
	}
	if err := counts.Write(file, rows, w.run.writerOptions()); err != nil {
		file.Discard()
		return nil, err
	}
	return file, nil
}

// checkPlanUnchanged returns an error if another process has replaced the plan of the pass.
func (p *passRun) checkPlanUnchanged() error {
	return p.folder.CheckPlanUnchanged(p.pass.Name, p.plan)
}

// discardFiles removes the files that have not been published.
func (w *shardWriter) discardFiles() {
	for _, f := range w.openedFiles() {
		f.file.Discard()
	}
}

// openedFiles lists the files that are written batch by batch.
func (w *shardWriter) openedFiles() (files []*parquetTemp) {
	for _, f := range []*parquetTemp{w.rows, w.rejects, w.sample} {
		if f != nil {
			files = append(files, f)
		}
	}
	return files
}
