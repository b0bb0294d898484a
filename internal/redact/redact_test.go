package redact

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"":                                         "",
		"open captions.tsv: no such file":          "open captions.tsv: no such file",
		"open s3://id:PW@bucket/x: denied":         "open s3://…@bucket/x: denied",
		"s3:/id:PW@bucket/x":                       "s3:/…@bucket/x",
		`Get "http://user:PW@host:80/x": EOF`:      `Get "http://…@host:80/x": EOF`,
		"http://PW@host":                           "http://…@host",
		"http://user:P/W@host/x":                   "http://…@host/x",
		"http://user:P@W@host":                     "http://…@host",
		"http://host:8000/@user/x":                 "http://host:8000/@user/x",
		"https://h/x?sv=1&sig=PW&a=b":              "https://h/x?sv=1&sig=…&a=b",
		"X-Amz-Signature=PW":                       "X-Amz-Signature=…",
		"parse.api_key=PW: unknown":                "parse.api_key=… unknown",
		"parse.token=PW, key=PW":                   "parse.token=…, key=…",
		"a key is set with --set KEY=VALUE":        "a key is set with --set KEY=VALUE",
		"source.columns.key=id":                    "source.columns.key=id",
		"http://127.0.0.1: refused, a@b.c":         "http://127.0.0.1: refused, a@b.c",
		"max_tokens=3 bos_token=<s> image_key=url": "max_tokens=3 bos_token=<s> image_key=url",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestHolds(t *testing.T) {
	for text, want := range map[string]bool{
		"a.tsv": false, "s3://bucket/a@b/*.tsv": false, "http://gpu1:8000/v1": false, "user@host:path": false, "s3://b/part-?.tsv": false,
		"s3://b/year=2020/part-?.tsv": false, "https://img.example.org/a.jpg?size=3": false, "token=a": false,
		"s3://id:PW@bucket/x": true, "http://PW@host": true, "s3:/id:PW@b": true, "s3://id:P W@b/x": true, "http://id:P/W@b": true, "https://a.blob.core.windows.net/c/k?sv=1&sig=PW": true,
		"https://b.s3.amazonaws.com/k?X-Amz-Credential=x": true, "[a.tsv, s3://id:PW@b/x]": true,
	} {
		if got := Holds(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("http://user:SECRET@host/x?token=SECRET")
	f.Add("s3://a@b@c:/d@e")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(Text("http://user:SECRET@"+strings.ReplaceAll(text, "SECRET", "")), "SECRET") {
			t.Errorf("%q shows the password", text)
		}
		if Holds("s3://user@"+text) != true {
			t.Errorf("%q: not found", text)
		}
	})
}
