// Command nothing17 reads an Arrow stream and writes it as it is.
package main

import (
	"log"
	"os"

	"github.com/apache/arrow/go/v17/arrow/ipc"
)

func main() {
	r, err := ipc.NewReader(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	w := ipc.NewWriter(os.Stdout, ipc.WithSchema(r.Schema()))
	for r.Next() {
		if err := w.Write(r.Record()); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
}
