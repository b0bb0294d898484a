// Command arrow17 reads an Arrow stream and writes it as Parquet: its size is what
// the writer costs, beside that of the command nothing.
package main

import (
	"log"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"capgraph/bench/parquet/witharrow17"
)

func main() {
	r, err := ipc.NewReader(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	var batches []arrow.Record
	for r.Next() {
		r.Record().Retain()
		batches = append(batches, r.Record())
	}
	if err := witharrow17.Write(os.Stdout, batches, true); err != nil {
		log.Fatal(err)
	}
}
