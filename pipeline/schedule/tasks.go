package schedule

import (
	"encoding/json"
	"io"
)

// Tasks is a run for drivers in other languages, as one JSON object.
type Tasks struct {
	// Dir is the folder to which relative paths are relative.
	Dir string `json:"dir"`
	// Recipe is the file of the recipe; nil if settings alone make up the recipe.
	Recipe *Recipe `json:"recipe"`
	Steps  []Step  `json:"steps"`
}

// Recipe is the recipe file, which is copied to the machine of each task.
type Recipe struct {
	Name string `json:"name"` // without a folder
	Text string `json:"text"`
}

// Write writes t as JSON.
func (t *Tasks) Write(w io.Writer) error {
	encode := json.NewEncoder(w)
	encode.SetEscapeHTML(false)
	return encode.Encode(t)
}
