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
			one := &jsonschema.Schema{Type: "string"}
			switch t {
			case reflect.TypeFor[[]string]():
				return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{one, {Type: "array", Items: one}}}
			case reflect.TypeFor[map[string]string]():
				value := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{one, {Type: "number"}, {Type: "boolean"}}}
				return &jsonschema.Schema{Type: "object", AdditionalProperties: value}
			}
			return nil
		},
	}
	schema := r.Reflect(&Config{})
	schema.Title = "capgraph recipe"
	data, err := json.MarshalIndent(schema, "", "  ")
	return append(data, '\n'), err
}
