package main

import (
	"path"
	"strings"

	"github.com/goccy/go-yaml"

	"capgraph/sources"
	"capgraph/store"
)

// maxCard bounds the bytes of a dataset card that are read.
const maxCard = 1 << 20

// findLicence returns a licence and the name of the card that states it. The card is README.md beside the
// first file or in the folder above it, else the published card of the format. Without either, both
// results are "".
func findLicence(s store.Store, files []sources.File, format string) (licence, card string) {
	if len(files) == 0 {
		return "", ""
	}
	dir := store.Dir(files[0].Path)
	for _, name := range []string{store.Join(dir, "README.md"), store.Join(store.Dir(dir), "README.md")} {
		data, err := store.ReadFile(s, name, maxCard)
		if err != nil {
			continue
		}
		if licence := licenceOfCard(string(data)); licence != "" {
			return licence, path.Clean(name)
		}
	}
	if licence := sources.LicenceOf(format); licence != "" {
		return licence, "the published card of " + format
	}
	return "", ""
}

// licenceOfCard returns the licence in the front matter of a dataset card.
func licenceOfCard(card string) string {
	matter, ok := strings.CutPrefix(strings.ReplaceAll(strings.TrimPrefix(card, "\ufeff"), "\r\n", "\n"), "---\n")
	if !ok {
		return ""
	}
	matter, _, ok = strings.Cut(matter, "\n---")
	if !ok {
		return ""
	}
	var fields struct {
		License any    `yaml:"license"`
		Name    string `yaml:"license_name"`
	}
	if yaml.Unmarshal([]byte(matter), &fields) != nil {
		return ""
	}
	licence, _ := fields.License.(string)
	if list, ok := fields.License.([]any); ok && len(list) > 0 {
		licence, _ = list[0].(string)
	}
	if licence == "other" && fields.Name != "" {
		licence = fields.Name
	}
	return strings.Join(strings.Fields(licence), " ")
}
