// Package plural gives nouns, and the verbs after them, the number of what is
// counted.
package plural

// Of is one where n is 1, and else many: 1 shard is, 0 shards are.
func Of[N int | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
