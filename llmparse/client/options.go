package client

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"capgraph/internal/redact"
	"capgraph/llmparse/replies"
)

// What a text gets if its reply stays unusable.
const (
	OnBadRules  = "rules"  // the rule parser's graph; column parser says so
	OnBadReject = "reject" // a reject with the reason
)

// ReplyAuto asks the first texts of a run in both forms and keeps the better.
const ReplyAuto = "auto"

// Options are the settings under parse: in pipeline.yaml, for parser: llm and parser: hybrid.
type Options struct {
	Endpoints  []string `yaml:"endpoints" secret:"true" doc:"base URLs of OpenAI-compatible servers, such as http://gpu1:8000/v1; none: only the cache answers"`
	Model      string   `yaml:"model" doc:"the model's name at the endpoints"`
	APIKeyEnv  string   `yaml:"api_key_env" secret:"true" doc:"environment variable with the key of the endpoints"`
	APIKeyFile string   `yaml:"api_key_file" secret:"true" doc:"file with the key of the endpoints"`

	Reply     string         `yaml:"reply" doc:"auto, schema (JSON held to a schema by the server) or plain (JSON between [ANS] and [/ANS])"`
	MaxTokens int            `yaml:"max_tokens" doc:"the most tokens that a reply may have"`
	LogProbs  bool           `yaml:"logprobs" doc:"ask for log-probabilities, which become confidence"`
	Sampling  map[string]any `yaml:"sampling" secret:"true" doc:"further fields of a request, sent as they are: temperature, top_k, seed, …"`
	OnBad     string         `yaml:"on_bad_reply" doc:"rules: the rule parser's graph instead; reject: no graph"`
	// UnusableShare is compared with each shard of 50 replies or more, and with the whole run.
	UnusableShare float64 `yaml:"unusable_share" doc:"share of the replies that may be of no use before the run fails"`
	Threshold     float64 `yaml:"threshold" doc:"parser: hybrid asks the model where the rule parser's confidence is below this"`

	MinInFlight   int           `yaml:"min_in_flight" doc:"requests in flight that an endpoint is always allowed"`
	MaxInFlight   int           `yaml:"max_in_flight" doc:"most requests in flight at an endpoint, of all parts of a run together"`
	Timeout       time.Duration `yaml:"timeout" doc:"how long a request may take"`
	Attempts      int           `yaml:"attempts" doc:"how often a text is tried before it counts as failed"`
	FailureBudget int           `yaml:"failure_budget" doc:"texts that may fail or have a reply of no use before the run stops"`
	GiveUpAfter   time.Duration `yaml:"give_up_after" doc:"how long no endpoint may answer before the run stops"`
	WaitForServer time.Duration `yaml:"wait_for_server" doc:"how long to wait for a server that is still starting"`

	Cache       string `yaml:"cache" doc:"folder of the replies, on this machine"`
	MetricsAddr string `yaml:"metrics_addr" secret:"true" doc:"address to serve Prometheus metrics at, such as 127.0.0.1:9464; :9464 is all addresses of the machine, for whoever reaches it"`
	Prices      Prices `yaml:"prices" doc:"what a million tokens cost, for the estimate of cost"`
}

// Prices are the prices of a million tokens, in any currency.
type Prices struct {
	Input  float64 `yaml:"input" doc:"a million tokens of prompt"`
	Output float64 `yaml:"output" doc:"a million tokens of reply"`
}

// Defaults returns the default options, in which only endpoints and a model are missing.
func Defaults() Options {
	return Options{
		Reply: ReplyAuto, MaxTokens: 1024, LogProbs: true, OnBad: OnBadRules, UnusableShare: 0.5, Threshold: 0.5,
		MinInFlight: 1, MaxInFlight: 1024, Timeout: 2 * time.Minute, Attempts: 8,
		FailureBudget: 1000, GiveUpAfter: 10 * time.Minute, Cache: "replies",
	}
}

// OfPart divides MaxInFlight by the number of processes, parts, so that together they have at most
// that many requests in flight at an endpoint. It stays at least MinInFlight.
func (o *Options) OfPart(parts int) {
	o.MaxInFlight = max(o.MinInFlight, (o.MaxInFlight+parts-1)/parts)
}

// reserved are fields of a request that sampling may not set, each with the setting that sets it.
var reserved = map[string]string{
	"model": "model", "messages": "nothing: the prompt is versioned with the program", "max_tokens": "max_tokens",
	"response_format": "reply", "logprobs": "logprobs", "stream": "nothing: replies are read whole", "n": "nothing: one reply a text",
}

// Validate returns an error that names an impossible or missing setting by its key below parse:.
func (o *Options) Validate() error {
	switch {
	case o.Model == "":
		return errors.New("model: name the model, as the endpoints list it at /v1/models")
	case o.Cache == "":
		return errors.New("cache: name a folder for the replies")
	}
	return o.Check()
}

// Check returns an error that names an impossible setting by its key below parse:, also if no model
// is used.
func (o *Options) Check() error {
	switch {
	case o.APIKeyEnv != "" && o.APIKeyFile != "":
		return errors.New("api_key_env: give this or api_key_file, not both")
	case o.APIKeyEnv != "" && !variableName.MatchString(o.APIKeyEnv):
		return errors.New("api_key_env: want the name of an environment variable, in capitals, such as LLM_KEY: the key itself stands in that alone")
	case !isPath(o.APIKeyFile):
		return errors.New("api_key_file: there is no such file, and a name without a slash may be the key itself: want the path of the file that has it, such as ./llm-key")
	case o.Reply != ReplyAuto && o.Reply != ReplySchema && o.Reply != ReplyPlain:
		return fmt.Errorf("reply: %q is not auto, schema or plain", o.Reply)
	case o.OnBad != OnBadRules && o.OnBad != OnBadReject:
		return fmt.Errorf("on_bad_reply: %q is not rules or reject", o.OnBad)
	case o.MaxTokens < 16 || o.MaxTokens > replies.MaxTokens:
		return fmt.Errorf("max_tokens: %d is not in 16 to %d", o.MaxTokens, replies.MaxTokens)
	case !(o.Threshold >= 0 && o.Threshold <= 1):
		return fmt.Errorf("threshold: %g is not in 0 to 1", o.Threshold)
	case !(o.UnusableShare >= 0 && o.UnusableShare <= 1):
		return fmt.Errorf("unusable_share: %g is not in 0 to 1", o.UnusableShare)
	case o.MinInFlight < 1:
		return fmt.Errorf("min_in_flight: %d is below 1", o.MinInFlight)
	case o.MaxInFlight < o.MinInFlight || o.MaxInFlight > 1<<16:
		return fmt.Errorf("max_in_flight: %d is not in min_in_flight (%d) to %d", o.MaxInFlight, o.MinInFlight, 1<<16)
	case o.Timeout <= 0:
		return fmt.Errorf("timeout: %v is not above 0", o.Timeout)
	case o.Attempts < 1:
		return fmt.Errorf("attempts: %d is below 1", o.Attempts)
	case o.FailureBudget < 0:
		return fmt.Errorf("failure_budget: %d is below 0", o.FailureBudget)
	case o.GiveUpAfter <= 0:
		return fmt.Errorf("give_up_after: %v is not above 0", o.GiveUpAfter)
	case o.WaitForServer < 0:
		return fmt.Errorf("wait_for_server: %v is below 0", o.WaitForServer)
	case o.Prices.Input < 0 || o.Prices.Output < 0:
		return errors.New("prices: a price is below 0")
	}
	for k := range reserved {
		if _, set := o.Sampling[k]; set {
			return fmt.Errorf("sampling: %s is set by %s", k, reserved[k])
		}
	}
	if hasSecret(o.Sampling) {
		return errors.New("sampling: a field is named as a key, a token, a password or headers are: it would be kept in the output folder; the key of the endpoints belongs in api_key_env or api_key_file")
	}
	if !isPort(o.MetricsAddr) {
		return errors.New("metrics_addr: want HOST:PORT, such as 127.0.0.1:9464, or :9464 for all interfaces")
	}
	for i, e := range o.Endpoints {
		if err := validEndpoint(e); err != nil {
			return fmt.Errorf("endpoints[%d]: %w", i, err)
		}
	}
	return nil
}

// variableName matches names of environment variables, and hardly any API key.
var variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// isPort reports whether text is empty or an address to listen at.
func isPort(text string) bool {
	_, port, err := net.SplitHostPort(text)
	if text == "" || err != nil || strings.ContainsAny(text, "@/") {
		return text == ""
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// isPath reports whether text is the path of a file, and not an API key given by mistake.
func isPath(text string) bool {
	if text == "" || strings.ContainsRune(text, filepath.Separator) {
		return !strings.Contains(text, "://")
	}
	_, err := os.Stat(text)
	return err == nil
}

// hasSecret reports whether a field of a request, at any depth, has the name of a secret.
func hasSecret(fields any) bool {
	switch fields := fields.(type) {
	case map[string]any:
		for name, value := range fields {
			if redact.IsSecret(name) || hasSecret(value) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(fields, hasSecret)
	}
	return false
}

// validEndpoint returns an error if e is no address of an endpoint. The error does not repeat e,
// which may hold a secret.
func validEndpoint(e string) error {
	u, err := url.Parse(e)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("want the address of a server, such as http://gpu1:8000/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("holds a user, a query or a fragment: a key belongs in api_key_env or api_key_file")
	}
	return nil
}

// optionError is a mistake in the options, or a missing API key.
type optionError struct{ err error }

func (e *optionError) Error() string { return e.err.Error() }
func (e *optionError) Unwrap() error { return e.err }

// ExitCode returns the exit code of a wrong configuration.
func (e *optionError) ExitCode() int { return 2 }

// Key reads the API key, which may be empty. Errors do not hold the value of the setting: a user
// may have put the key there by mistake.
func (o *Options) Key() (string, error) {
	switch {
	case o.APIKeyEnv != "":
		key := strings.TrimSpace(os.Getenv(o.APIKeyEnv))
		if key == "" {
			return "", errors.New("api_key_env: the environment variable that it names is not set: set it to the key")
		}
		if strings.ContainsFunc(key, unicode.IsControl) {
			return "", errors.New("api_key_env: the environment variable that it names holds a line break or another control character: set it to the key alone")
		}
		return key, nil
	case o.APIKeyFile != "":
		b, err := os.ReadFile(o.APIKeyFile)
		if err != nil {
			return "", fmt.Errorf("api_key_file: the file that it names cannot be read: %w", unwrapPathError(err))
		}
		key := strings.TrimSpace(string(b))
		if key == "" || strings.ContainsFunc(key, unicode.IsControl) {
			return "", errors.New("api_key_file: the file that it names does not hold one line with a key and no control characters: write the key alone into it")
		}
		return key, nil
	}
	return "", nil
}

// unwrapPathError returns the cause of a file error, without the path.
func unwrapPathError(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// SentSampling returns Sampling, with temperature 0 if it has none.
func (o *Options) SentSampling() map[string]any {
	fields := map[string]any{"temperature": 0}
	for k, v := range o.Sampling {
		fields[k] = v
	}
	return fields
}
