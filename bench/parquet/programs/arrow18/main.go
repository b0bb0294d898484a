// Command arrow18 reads an Arrow stream and writes it as Parquet: its size is what
// the writer costs, beside that of the command nothing.
package main

import (
	"log"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"capgraph/bench/parquet/witharrow18"
)

func main() {
	r, err := ipc.NewReader(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	var batches []arrow.RecordBatch
	for r.Next() {
		r.RecordBatch().Retain()
		batches = append(batches, r.RecordBatch())
	}
	if err := witharrow18.Write(os.Stdout, batches, true); err != nil {
		log.Fatal(err)
	}
}
