package sources

import (
	"fmt"
	"strings"
	"testing"
)

func TestSplitsByName(t *testing.T) {
	for names, want := range map[string]string{
		"d/train-00000-of-00002.parquet d/train-00001-of-00002.parquet d/test-00000-of-00001.parquet": "test 1, train 2: d/train-*-of-00002.parquet",
		"captions_train2017.json captions_val2017.json":                                               "train 1, val 1: captions_train2017.json",
		"x/train/a.csv x/train/b.csv x/test/a.csv":                                                    "test 1, train 2: x/train/*.csv",
		"x/train x/test":                            "test 1, train 1: x/train",
		"a.csv b.csv test_c.csv":                    " 2, test 1: ", // a glob for a and b takes the third too
		"train-0.tar train-1.tar":                   ": ",
		"contest.csv latest.csv":                    ": ",
		"test.csv":                                  ": ",
		"test/a.csv test/b.csv":                     ": ", // the folder that is named is of one part
		"d/dev.jsonl d/TRAIN.jsonl d/restval.jsonl": "dev 1, restval 1, train 1: ",
		"ä/train.csv ö/test.csv":                    "test 1, train 1: ä/train.csv",
	} {
		var files []File
		for name := range strings.FieldsSeq(names) {
			files = append(files, File{Path: name})
		}
		splits := SplitsByName(files)
		var got []string
		for _, s := range splits {
			got = append(got, fmt.Sprintf("%s %d", s.Name, len(s.Files)))
		}
		if s := strings.Join(got, ", ") + ": " + TrainingPaths(splits); s != want {
			t.Errorf("%s: %q, want %q", names, s, want)
		}
	}
}
