// Package emoji makes corpora from pictures that four designers of emoji drew, with captions made
// of the pictures' names in Unicode's CLDR. Corpus Pairs has two pictures of one designer side by
// side, corpus Couples one picture of two persons. Some combinations of a kind and its attribute,
// some pairs of combinations and all pictures of one designer are kept for tests. The pictures come
// from npm packages; everything else is a function of the seed.
package emoji

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// npmPackage is a version of a package of npm.
type npmPackage struct{ name, version, sha256 string }

// designer has the npm package of a set of pictures.
type designer struct {
	name     string
	pkg      npmPackage
	folder   string                   // of the pictures in the package
	fileName func(e character) string // returns a picture's name without extension, in the form of normalName
}

var openmoji = npmPackage{"openmoji", "17.0.0", "55ee7d13485dec86e9f38c1f3a645a13382d33ff97c0cd845ee824b0aef45e68"}

// heldOutDesigner is the designer whose pictures no model is trained on.
const heldOutDesigner = "twitter"

// designers lists the designers. Google's pictures are Noto Emoji, Microsoft's Fluent, Twitter's
// Twemoji.
var designers = []designer{
	{"google", npmPackage{"emoji-datasource-google", "16.0.0", "fb5fd131b362aab7a55542d2a147a79708cce0a8b1c1bbacd470172708b5c438"}, "img/google/64", nameByCode},
	{"fluent", npmPackage{"fluentui-emoji", "1.3.0", "ec892e607e854859b812c7d827801756adc19955b0ef56d4ae8afcddd19492c5"}, "icons/flat", nameByWords},
	{"openmoji", openmoji, "color/svg", nameByCode},
	{heldOutDesigner, npmPackage{"emoji-datasource-twitter", "16.0.0", "f64a530c63bca463bd8317fdc4615ce63a53a0c65018e4ce2d848aaba7a28877"}, "img/twitter/64", nameByCode},
}

// namesFile is the file of OpenMoji's package with the names of all emoji.
const namesFile = "data/openmoji.json"

// character is an emoji in namesFile.
type character struct {
	Code  string `json:"hexcode"`
	Name  string `json:"annotation"`
	Group string `json:"group"`
}

// normalName returns a picture's name without its extension, in lower case and without U+FE0F,
// which some designers leave out of names.
func normalName(file string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSuffix(file, path.Ext(file))), "-fe0f", "")
}

func nameByCode(e character) string { return normalName(e.Code) }

// fluentNames are the kinds that Fluent has under another name.
var fluentNames = map[string]string{"mermaid": "woman merpeople"}

func nameByWords(e character) string {
	words := e.kind()
	if other, ok := fluentNames[words]; ok {
		words = other
	}
	if tones := e.tones(); len(tones) > 0 {
		words += " " + strings.Join(tones, " ")
	}
	return normalName(strings.ReplaceAll(words, " ", "-"))
}

// picture is a file of a package.
type picture struct {
	designer, name string
	data           []byte
}

// library has the contents of the packages.
type library struct {
	characters []character
	pictures   map[string]map[string]*picture // by designer and normalName
}

// openLibrary reads the packages' tarballs in a folder. Missing tarballs are fetched with npm.
func openLibrary(ctx context.Context, folder string) (*library, error) {
	l := &library{pictures: map[string]map[string]*picture{}}
	for _, d := range designers {
		name, err := fetchTarball(ctx, folder, d.pkg)
		if err != nil {
			return nil, err
		}
		found := map[string]*picture{}
		err = readTarball(name, func(member string, data func() ([]byte, error)) error {
			switch {
			case path.Dir(member) == d.folder:
				p := &picture{designer: d.name, name: path.Base(member)}
				found[normalName(p.name)] = p
				p.data, err = data()
				return err
			case member == namesFile:
				names, err := data()
				if err != nil {
					return err
				}
				return json.Unmarshal(names, &l.characters)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		l.pictures[d.name] = found
	}
	return l, nil
}

// fetchTarball returns the path of a package's tarball in a folder and checks its SHA-256. A missing tarball
// is fetched with 'npm pack'.
func fetchTarball(ctx context.Context, folder string, p npmPackage) (string, error) {
	name := filepath.Join(folder, fmt.Sprintf("%s-%s.tgz", p.name, p.version))
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return "", err
		}
		npm := exec.CommandContext(ctx, "npm", "pack", "--silent", p.name+"@"+p.version)
		npm.Dir = folder
		if out, err := npm.CombinedOutput(); err != nil {
			return "", fmt.Errorf("npm pack %s@%s: %w\n%s", p.name, p.version, err, out)
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != p.sha256 {
		return "", fmt.Errorf("%s: its SHA-256 is %s, not %s: remove the file", name, got, p.sha256)
	}
	return name, nil
}

// readTarball calls each with the members of an npm package, without the folder that they share.
func readTarball(name string, each func(member string, data func() ([]byte, error)) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	members := tar.NewReader(unzipped)
	for {
		h, err := members.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := each(strings.TrimPrefix(h.Name, "package/"), func() ([]byte, error) { return io.ReadAll(members) }); err != nil {
			return err
		}
	}
}
