// Package replies reads and keeps the replies of a language model.
//
//	c, err := replies.Open("replies", 1024)
//	err = c.Get(keys, records) // records[i] is nil if there is no reply to keys[i]
//	err = c.Put(key, record)
//
// A reply is stored under the hash of its question, so that no question is paid for twice. Each
// process writes a file of its own (files.go); a damaged reply counts as missing (stored.go,
// corruption.go). Batch files ask without a server that listens (batch.go).
package replies
