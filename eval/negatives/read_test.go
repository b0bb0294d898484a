package negatives

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseStrings(t *testing.T) {
	for _, c := range []struct {
		literal string
		want    []string
		err     string
	}{
		{`[]`, nil, ""},
		{`[ ]`, nil, ""},
		{`['a dog']`, []string{"a dog"}, ""},
		{`['a', "b's", 'c\'s \\ \n']`, []string{"a", "b's", "c's \\ \n"}, ""},
		{`['\x41\u00e9\U0001f600', 'é 猫']`, []string{"Aé😀", "é 猫"}, ""},
		{`['\d']`, []string{`\d`}, ""},
		{`['a',]`, []string{"a"}, ""},
		{``, nil, "begins with ["},
		{`['a'`, nil, "neither , nor ]"},
		{`['a' 'b']`, nil, "neither , nor ]"},
		{`['a`, nil, "without closing quote"},
		{`['a\`, nil, "backslash"},
		{`['\u12`, nil, "cut off"},
		{`['\ud800']`, nil, "names no character"},
		{`[1]`, nil, "item 0"},
	} {
		got, err := parseStringList(c.literal)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: error %v, want %q", c.literal, err, c.err)
		}
		if c.err == "" && !slices.Equal(got, c.want) {
			t.Errorf("%s = %q, want %q", c.literal, got, c.want)
		}
	}
}

func collect(seq iter.Seq2[Row, error]) (rows []Row, err error) {
	for row, err := range seq {
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadNegCLIP(t *testing.T) {
	path := write(t, "neg.tsv", "\ttitle\tfilepath\tneg_caption\tneg_image\n"+
		"0\tA dog.\tval/1.jpg\t\"['A cat.', \"\"A dog's.\"\"]\"\t[1]\n"+
		"1\t\"A \"\"red\"\" bus\"\tval/2.jpg\t[]\t[]\n")
	rows, err := collect(Read(path))
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, error %v", len(rows), err)
	}
	if n := rows[0].Negatives; len(n) != 2 || n[1].Text != "A dog's." || rows[0].Image != "val/1.jpg" {
		t.Errorf("first row %+v", rows[0])
	}
	if rows[1].Positives[0] != `A "red" bus` || len(rows[1].Negatives) != 0 {
		t.Errorf("second row %+v", rows[1])
	}
}

func TestReadersNameThePlace(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"a.tsv", "", "a.tsv: no header line"},
		{"a.tsv", "\ttitle\tfilepath\n", `a.tsv: no column "neg_caption"`},
		{"a.tsv", "\ttitle\tfilepath\tneg_caption\n0\tA\tb\t['c\n", "a.tsv, row 1, column neg_caption"},
		{"a.tsv", "\ttitle\tfilepath\tneg_caption\n0\tA\n", "a.tsv, row 1"},
		{"a.json", "5", "a.json: not a JSON object"},
		{"a.json", `{"0": {"filename": "x.jpg", "caption": "A"}}`, "a.json, id 0: filename, caption or negative_caption is missing"},
		{"a.json", `{"0": {"filename": "x.jpg", "caption": "A", "negative_caption": "B"}`, "a.json: cut off"},
		{"a.parquet", "nonsense", "a.parquet: is no Parquet file"},
		{"a.txt", "", "no .parquet file"},
	} {
		_, err := collect(Read(write(t, c.name, c.content)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %q: error %v, want %q", c.name, c.content, err, c.want)
		}
	}
}

func TestReadFolder(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"swap_att.json":  `{"0": {"filename": "1.jpg", "caption": "A", "negative_caption": "B"}}`,
		"add_att.json":   `{"0": {"filename": "1.jpg", "caption": "A", "negative_caption": "C"}}`,
		"_sizes.json":    `not read`,
		".capgraph.json": `not read`,
		"notes.txt":      `not read`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := collect(Read(dir))
	if err != nil || len(rows) != 2 || rows[0].Negatives[0].Method != "add_att" || rows[1].Negatives[0].Method != "swap_att" {
		t.Fatalf("rows %+v, error %v", rows, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "neg.tsv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := collect(Read(dir)); err == nil || !strings.Contains(err.Error(), "name the file or folder") {
		t.Errorf("two formats in one folder: error %v", err)
	}
}

func FuzzParseStrings(f *testing.F) {
	f.Add(`['a dog\'s bowl', "é \u00e9"]`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, s string) { parseStringList(s) })
}

func FuzzDecodeNegCLIP(f *testing.F) {
	f.Add("\ttitle\tfilepath\tneg_caption\tneg_image\n0\tA dog.\tval/1.jpg\t['A cat.']\t[1]\n")
	f.Fuzz(func(t *testing.T, s string) {
		for row, err := range decodeTable(strings.NewReader(s), "f.tsv", '\t') {
			if err == nil && len(row.Positives) != 1 {
				t.Fatalf("row %+v", row)
			}
		}
	})
}

func FuzzDecodeSugarCrepe(f *testing.F) {
	f.Add(`{"0": {"filename": "1.jpg", "caption": "A", "negative_caption": "B"}}`)
	f.Fuzz(func(t *testing.T, s string) {
		for row, err := range decodeSugarCrepe(strings.NewReader(s), "f.json") {
			if err == nil && len(row.Negatives) != 1 {
				t.Fatalf("row %+v", row)
			}
		}
	})
}
