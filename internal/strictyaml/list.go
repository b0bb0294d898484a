package strictyaml

import "errors"

// List is a list of sections. A single section needs no list, so that its keys can be set one by
// one on the command line. If sections have defaults, their type has an UnmarshalYAML that sets
// them for zero values.
type List[T any] []T

// UnmarshalYAML reads a list, or one section into the single one that exists.
func (l *List[T]) UnmarshalYAML(decode func(any) error) error {
	var value any
	if err := decode(&value); err != nil {
		return err
	}
	if _, one := value.(map[string]any); !one {
		return decode((*[]T)(l))
	}
	if len(*l) > 1 {
		return errors.New("there are several: give the whole list")
	}
	if len(*l) == 0 {
		*l = make(List[T], 1)
	}
	return decode(&(*l)[0])
}
