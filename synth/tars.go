package synth

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"capgraph/store"
)

// row has an image and its caption in the sidecar, and in the .json file of a sample, with
// img2dataset's names. The name of this type is in the sidecar's schema.
type row struct {
	Caption string `parquet:"caption" json:"caption"`
	Key     string `parquet:"key" json:"key"`
	Status  string `parquet:"status,dict" json:"status"`
	Width   int32  `parquet:"width" json:"width"`
	Height  int32  `parquet:"height" json:"height"`
	SHA256  string `parquet:"sha256" json:"sha256"`
}

// writeTar writes training scenes first to last-1 as a tar with its sidecar. A sample is KEY.png,
// KEY.json and KEY.txt.
func (s *Scenes) writeTar(ctx context.Context, files store.Store, dir string, first, last int) error {
	shard := first / tarScenes
	stem := store.Join(TrainDir(dir), fmt.Sprintf("%05d", shard))
	t, err := files.Create(stem + ".tar")
	if err != nil {
		return err
	}
	defer t.Discard()
	out := tar.NewWriter(t)
	var rows []row
	err = s.renderScenes(ctx, first, last, s.TrainScene, func(i int, r rendered) error {
		sum := sha256.Sum256(r.png)
		row := row{r.scene.Caption(), trainKey(i), "success", int32(s.Side), int32(s.Side), hex.EncodeToString(sum[:])}
		rows = append(rows, row)
		return writeSample(out, row, r.png)
	})
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	sidecar, err := files.Create(stem + ".parquet")
	if err != nil {
		return err
	}
	defer sidecar.Discard()
	if err := writeRows(sidecar, rows); err != nil {
		return fmt.Errorf("%s: %w", sidecar.Name(), err)
	}
	if err := t.Replace(); err != nil {
		return err
	}
	return sidecar.Replace()
}

// trainKey returns the key of training scene i: the key of its tar, and its place in it.
func trainKey(i int) string { return fmt.Sprintf("%05d%04d", i/tarScenes, i%tarScenes) }

func writeSample(out *tar.Writer, r row, png []byte) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	for _, m := range []struct {
		extension string
		data      []byte
	}{{"png", png}, {"json", text}, {"txt", []byte(r.Caption)}} {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: r.Key + "." + m.extension, Size: int64(len(m.data)),
			Mode: 0o644, ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR,
		}
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		if _, err := out.Write(m.data); err != nil {
			return err
		}
	}
	return nil
}

func writeRows(out io.Writer, rows []row) error {
	w := parquet.NewGenericWriter[row](out, parquet.Compression(&zstd.Codec{}), parquet.CreatedBy("capgraph", "", ""))
	if _, err := w.Write(rows); err != nil {
		return err
	}
	return w.Close()
}
