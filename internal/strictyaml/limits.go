package strictyaml

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// checkLimits returns an error if the jsonschema tag of a key in the section v, or below it,
// excludes the value: "enum=a,enum=b" for texts and lists of them, "minimum=0",
// "exclusiveMinimum=0" and "maximum=1" for numbers and lists of them. A number with a tag must be
// finite.
func checkLimits(v reflect.Value, prefix string) error {
	for f, value := range v.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		tag, tagged := f.Tag.Lookup("jsonschema")
		var err error
		switch {
		case options == "inline":
			err = checkLimits(value, prefix)
		case name == "" || name == "-":
		case value.Kind() == reflect.Struct:
			err = checkLimits(value, prefix+name+".")
		case isSections(value.Type()):
			for i := 0; i < value.Len() && err == nil; i++ {
				err = checkLimits(value.Index(i), fmt.Sprintf("%s%s[%d].", prefix, name, i))
			}
		case !tagged:
		case value.Kind() == reflect.Slice:
			for i := 0; i < value.Len() && err == nil; i++ {
				err = checkValue(fmt.Sprintf("%s%s[%d]", prefix, name, i), value.Index(i), tag)
			}
		case value.Kind() == reflect.Pointer:
			if !value.IsNil() {
				err = checkValue(prefix+name, value.Elem(), tag)
			}
		default:
			err = checkValue(prefix+name, value, tag)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkValue returns an error if the tag excludes the value of the key at path.
func checkValue(path string, value reflect.Value, tag string) error {
	switch {
	case value.Kind() == reflect.String:
		return checkEnum(path, value.String(), tag)
	case value.CanInt():
		return checkRange(path, float64(value.Int()), tag)
	case value.CanUint():
		return checkRange(path, float64(value.Uint()), tag)
	case value.CanFloat():
		return checkRange(path, value.Float(), tag)
	}
	return nil
}

// checkEnum returns an error if the tag lists values and this one is not among them.
func checkEnum(path, value, tag string) error {
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

// checkRange returns an error if the tag excludes a number, or the number is not finite.
func checkRange(path string, number float64, tag string) error {
	if math.IsNaN(number) || math.IsInf(number, 0) {
		return At(path, fmt.Errorf("%v is not a finite number", number))
	}
	for part := range strings.SplitSeq(tag, ",") {
		name, text, _ := strings.Cut(part, "=")
		bound, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil:
		case name == "minimum" && number < bound:
			return At(path, fmt.Errorf("%v is less than %v", number, bound))
		case name == "exclusiveMinimum" && number <= bound:
			return At(path, fmt.Errorf("%v is not above %v", number, bound))
		case name == "maximum" && number > bound:
			return At(path, fmt.Errorf("%v is more than %v", number, bound))
		}
	}
	return nil
}
