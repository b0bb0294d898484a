package config

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const settingsHead = `# Settings

Every key of a recipe, ` + "`pipeline.yaml`" + `, with its default. ` + "`go test ./config -update`" + ` makes this page from
[pipeline.schema.json](../pipeline.schema.json), which editors read too. Each key can be set on the command line:
` + "`capgraph run --set negatives.max_negatives=4`" + `. Those of a training are in [train.yaml](../train.yaml).
`

// TestSettingsPage compares docs/settings.md with the schema and the defaults.
func TestSettingsPage(t *testing.T) {
	schema, err := os.ReadFile("../pipeline.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defaults, err := yaml.Marshal(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	page := []byte(settingsPage(readOrdered(t, schema), readOrdered(t, defaults)))
	if *update {
		if err := os.WriteFile("../docs/settings.md", page, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile("../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, committed) {
		t.Error("docs/settings.md is out of date: go test ./config -update")
	}
}

func readOrdered(t *testing.T, data []byte) yaml.MapSlice {
	t.Helper()
	var read yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(data, &read, yaml.UseOrderedMap()); err != nil {
		t.Fatal(err)
	}
	return read
}

// settingsPage returns a section for each key of the recipe that has keys of its own.
func settingsPage(schema, defaults yaml.MapSlice) string {
	page := strings.Builder{}
	page.WriteString(settingsHead + "\n| key | default | |\n|---|---|---|\n")
	for _, item := range valueOf(schema, "properties").(yaml.MapSlice) {
		if valueOf(item.Value.(yaml.MapSlice), "properties") == nil {
			writeSettings(&page, "", yaml.MapSlice{item}, defaults)
		}
	}
	for _, item := range valueOf(schema, "properties").(yaml.MapSlice) {
		key, value := item.Key.(string), item.Value.(yaml.MapSlice)
		if keys, ok := valueOf(value, "properties").(yaml.MapSlice); ok {
			fmt.Fprintf(&page, "\n## %s\n\n%s.\n\n| key | default | |\n|---|---|---|\n", key, capitalised(valueOf(value, "description").(string)))
			of, _ := valueOf(defaults, key).(yaml.MapSlice)
			writeSettings(&page, "", keys, of)
		}
	}
	return page.String()
}

// writeSettings writes a row for each key, those of nested keys with their parent's name before a dot.
func writeSettings(page *strings.Builder, parent string, keys, defaults yaml.MapSlice) {
	for _, item := range keys {
		name, value := item.Key.(string), item.Value.(yaml.MapSlice)
		if nested, ok := valueOf(value, "properties").(yaml.MapSlice); ok {
			of, _ := valueOf(defaults, name).(yaml.MapSlice)
			writeSettings(page, parent+name+".", nested, of)
			continue
		}
		text := strings.ReplaceAll(fmt.Sprint(valueOf(value, "description")), "|", `\|`)
		fmt.Fprintf(page, "| `%s%s` | %s | %s |\n", parent, name, shownDefault(valueOf(defaults, name)), strings.ReplaceAll(text, "<", "&lt;"))
	}
}

// shownDefault returns a default as a recipe has it, and nothing for an empty one.
func shownDefault(value any) string {
	data, err := yaml.MarshalWithOptions(value, yaml.Flow(true))
	text := strings.TrimSpace(string(data))
	if err != nil || value == nil || text == `""` || text == "[]" || text == "{}" || text == "null" {
		return ""
	}
	return "`" + text + "`"
}

func valueOf(of yaml.MapSlice, key string) any {
	for _, item := range of {
		if item.Key == key {
			return item.Value
		}
	}
	return nil
}

func capitalised(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
