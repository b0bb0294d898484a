package images

import (
	"path"
	"strings"

	"capgraph/store"
)

// IsImageName reports whether a file has the extension of an image: .jpg, .jpeg, .png, .webp or
// .gif, in any case.
func IsImageName(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".jpg", ".jpeg", ".png", ".webp", ".gif":
		return true
	}
	return false
}

// ListBelow returns the paths of the images below a folder, relative to it, in the store's order.
func ListBelow(s store.Store, dir string) ([]string, error) { return appendBelow(s, dir, "", nil) }

func appendBelow(s store.Store, dir, under string, names []string) ([]string, error) {
	infos, err := s.List(store.Join(dir, under))
	if err != nil {
		return nil, err
	}
	for _, i := range infos {
		switch name := path.Join(under, path.Base(i.Name)); {
		case i.Dir:
			if names, err = appendBelow(s, dir, name, names); err != nil {
				return nil, err
			}
		case IsImageName(name):
			names = append(names, name)
		}
	}
	return names, nil
}
