package images

import (
	"path"
	"strings"

	"capgraph/store"
)

// Named reports whether a file is called as an image is: .jpg, .jpeg, .png, .webp or
// .gif, in any case.
func Named(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".jpg", ".jpeg", ".png", ".webp", ".gif":
		return true
	}
	return false
}

// Below are the names of the images of a folder and of the folders in it: their
// paths below it, in the order of the store's lists.
func Below(s store.Store, dir string) ([]string, error) { return listBelow(s, dir, "", nil) }

func listBelow(s store.Store, dir, under string, names []string) ([]string, error) {
	infos, err := s.List(store.Join(dir, under))
	if err != nil {
		return nil, err
	}
	for _, i := range infos {
		switch name := path.Join(under, path.Base(i.Name)); {
		case i.Dir:
			if names, err = listBelow(s, dir, name, names); err != nil {
				return nil, err
			}
		case Named(name):
			names = append(names, name)
		}
	}
	return names, nil
}
