// Package yamlschema makes the JSON schemas of recipes. It is separate from strictyaml because only tests need
// it.
package yamlschema

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/invopop/jsonschema"
)

// Of returns the JSON schema of recipes of type T, for editors. Descriptions are the fields' doc tags.
func Of[T any](title string) ([]byte, error) {
	r := &jsonschema.Reflector{
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
	}
	r.Mapper = func(t reflect.Type) *jsonschema.Schema { return loosenSchema(r, t) }
	schema := r.Reflect(new(T))
	schema.Title = title
	data, err := json.MarshalIndent(schema, "", "  ")
	return append(data, '\n'), err
}

// loosenSchema returns the schema of a type that also accepts other forms than its own, such as one text for a
// list; nil if it has none.
func loosenSchema(r *jsonschema.Reflector, t reflect.Type) *jsonschema.Schema {
	if t == reflect.TypeFor[time.Duration]() {
		return &jsonschema.Schema{Type: "string"}
	}
	one := &jsonschema.Schema{Type: "string"}
	switch {
	case t == reflect.TypeFor[map[string]string]():
		value := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{one, {Type: "number"}, {Type: "boolean"}}}
		return &jsonschema.Schema{Type: "object", AdditionalProperties: value}
	case t == reflect.TypeFor[map[string][]string]():
		value := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{one, {Type: "array", Items: one}}}
		return &jsonschema.Schema{Type: "object", AdditionalProperties: value}
	case t == reflect.TypeFor[[]string]():
	case t == reflect.TypeFor[[]float64]():
		one = &jsonschema.Schema{Type: "number"}
	case t == reflect.TypeFor[[]int]():
		one = &jsonschema.Schema{Type: "integer"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		one = r.ReflectFromType(t.Elem())
		one.Version = ""
	default:
		return nil
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{one, {Type: "array", Items: one}}}
}
