package config

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/invopop/jsonschema"
)

// recipeSchema is the JSON schema of a recipe, for editors.
func recipeSchema() ([]byte, error) {
	r := jsonschema.Reflector{
		FieldNameTag:               "yaml",
		RequiredFromJSONSchemaTags: true,
		DoNotReference:             true,
		Anonymous:                  true,
		LookupComment: func(t reflect.Type, name string) string {
			if t.Kind() != reflect.Struct {
				return ""
			}
			f, _ := t.FieldByName(name)
			return f.Tag.Get("doc")
		},
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if t == reflect.TypeFor[time.Duration]() {
				return &jsonschema.Schema{Type: "string"}
			}
			if t != reflect.TypeFor[[]string]() {
				return nil
			}
			one := &jsonschema.Schema{Type: "string"}
			return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{one, {Type: "array", Items: one}}}
		},
	}
	schema := r.Reflect(&Config{})
	schema.Title = "capgraph recipe"
	data, err := json.MarshalIndent(schema, "", "  ")
	return append(data, '\n'), err
}
