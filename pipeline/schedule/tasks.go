package schedule

import (
	"encoding/json"
	"io"
)

// Tasks is a run for drivers in other languages, as one JSON object.
type Tasks struct {
	// Dir is the folder that relative paths are from.
	Dir string `json:"dir"`
	// Recipe is the file of the recipe; nil if what is set is the recipe.
	Recipe *Recipe `json:"recipe"`
	Steps  []Step  `json:"steps"`
}

// Recipe is a file that goes to the machine of a task.
type Recipe struct {
	Name string `json:"name"` // without a folder
	Text string `json:"text"`
}

// Write writes the object.
func (t *Tasks) Write(w io.Writer) error {
	encode := json.NewEncoder(w)
	encode.SetEscapeHTML(false)
	return encode.Encode(t)
}
