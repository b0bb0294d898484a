package strictyaml

import "errors"

// List is a list of sections; a single one needs no list, so that
// its keys can be set one by one on the command line. Sections with defaults
// set them in an UnmarshalYAML of their own, where they are zero.
type List[T any] []T

// UnmarshalYAML reads a list, or one section into the one that is there.
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
