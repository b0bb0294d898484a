package objectstore

import (
	"os"
	"regexp"
	"strings"

	"capgraph/internal/redact"
)

// queryPattern matches the query of a URL, which may have signatures.
var queryPattern = regexp.MustCompile(`\?[^\s"']*`)

// secretVariables are the environment variables whose values are never printed.
var secretVariables = []string{"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN", "AZURE_STORAGE_CONNECTION_STRING", "AZURE_CLIENT_SECRET", tokenVariable}

// hideSecrets returns a text as one line, without parts that may be secret.
func hideSecrets(text string) string {
	for _, name := range secretVariables {
		if value := os.Getenv(name); len(value) > 3 {
			text = strings.ReplaceAll(text, value, "…")
		}
	}
	if key := os.Getenv("GOOGLE_APPLICATION_CREDENTIALS"); strings.Contains(key, "{") { // the key itself instead of the path of its file
		text = strings.ReplaceAll(text, key, "…")
	}
	text = strings.Join(strings.Fields(redact.Text(queryPattern.ReplaceAllString(text, "?…"))), " ")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	return strings.TrimRight(text, ".: ")
}
