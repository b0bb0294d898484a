package objectstore

import (
	"errors"
	"fmt"
	"net/url"

	"capgraph/internal/strictyaml"
)

// Settings are the addresses of object stores, and the folder for scratch files. All may be empty.
// Everything else, such as credentials, comes from the environment as each cloud's SDK reads it.
type Settings struct {
	Endpoint  string `yaml:"endpoint" secret:"true" doc:"the address of an S3 server that is not Amazon's, such as http://127.0.0.1:9000; empty: AWS_ENDPOINT_URL, else Amazon's"`
	Region    string `yaml:"region" doc:"the region of S3 buckets; empty: AWS_REGION or the profile, else us-east-1"`
	PathStyle string `yaml:"path_style" jsonschema:"enum=auto,enum=always,enum=never" doc:"whether S3 buckets are named in the path of requests (always) or in the host (never); auto: in the path where an endpoint is set"`
	Scratch   string `yaml:"scratch" doc:"the local folder in which files of object stores are written before they are put; empty: TMPDIR, else /tmp"`
}

// The values of Settings.PathStyle.
const (
	PathStyleAuto   = "auto"
	PathStyleAlways = "always"
	PathStyleNever  = "never"
)

// Defaults returns settings that take everything from the environment.
func Defaults() Settings { return Settings{PathStyle: PathStyleAuto} }

// Validate returns an error for the first invalid value.
func (s Settings) Validate() error {
	if s.Endpoint != "" {
		u, err := url.Parse(s.Endpoint)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return strictyaml.At("endpoint", errors.New("want an address such as http://127.0.0.1:9000"))
		}
		if u.User != nil || u.RawQuery != "" {
			return strictyaml.At("endpoint", errors.New("credentials do not belong in a recipe: the SDK takes them from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or from a profile"))
		}
	}
	switch s.PathStyle {
	case PathStyleAuto, PathStyleAlways, PathStyleNever:
		return nil
	}
	return strictyaml.At("path_style", fmt.Errorf("%q is none of auto, always, never", s.PathStyle))
}
