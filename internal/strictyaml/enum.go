package strictyaml

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// checkEnums returns an error for a text in the section v, or below it, that is
// none of those that its jsonschema tag lists: "enum=a,enum=b".
func checkEnums(v reflect.Value, prefix string) error {
	for f, value := range v.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		path := prefix + name
		var err error
		switch {
		case options == "inline":
			err = checkEnums(value, prefix)
		case name == "" || name == "-":
		case value.Kind() == reflect.Struct:
			err = checkEnums(value, path+".")
		case isSections(value.Type()):
			for i := 0; i < value.Len() && err == nil; i++ {
				err = checkEnums(value.Index(i), fmt.Sprintf("%s[%d].", path, i))
			}
		case value.Kind() == reflect.String:
			err = noneOf(path, value.String(), f.Tag.Get("jsonschema"))
		case value.Type() == reflect.TypeFor[[]string]():
			for i := 0; i < value.Len() && err == nil; i++ {
				err = noneOf(fmt.Sprintf("%s[%d]", path, i), value.Index(i).String(), f.Tag.Get("jsonschema"))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noneOf returns an error where the tag lists values and not this one.
func noneOf(path, value, tag string) error {
	var values []string
	for part := range strings.SplitSeq(tag, ",") {
		if v, ok := strings.CutPrefix(part, "enum="); ok {
			values = append(values, v)
		}
	}
	if len(values) == 0 || slices.Contains(values, value) {
		return nil
	}
	return At(path, fmt.Errorf("%q is none of %s", value, strings.Join(values, ", ")))
}
