package objectstore

import (
	"os"
	"regexp"
	"strings"

	"capgraph/internal/redact"
)

// queryPattern matches the part of an address that holds signatures.
var queryPattern = regexp.MustCompile(`\?[^\s"']*`)

// secretVariables are the variables whose values are never printed.
var secretVariables = []string{"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN", "AZURE_STORAGE_CONNECTION_STRING", "AZURE_CLIENT_SECRET", tokenVariable}

// hideSecrets makes one line of a text and removes what may be a secret.
func hideSecrets(text string) string {
	for _, name := range secretVariables {
		if value := os.Getenv(name); len(value) > 3 {
			text = strings.ReplaceAll(text, value, "…")
		}
	}
	if key := os.Getenv("GOOGLE_APPLICATION_CREDENTIALS"); strings.Contains(key, "{") { // the key itself for the path of its file
		text = strings.ReplaceAll(text, key, "…")
	}
	text = strings.Join(strings.Fields(redact.Text(queryPattern.ReplaceAllString(text, "?…"))), " ")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	return strings.TrimRight(text, ".: ")
}
