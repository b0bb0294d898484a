package evalneg

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Siblings are captions of images by imageNumber.
type Siblings map[string][]string

// ReadSiblings reads a captions file: COCO's own JSON, or Karpathy's list of
// {"image", "caption": […]}.
func ReadSiblings(path string) (Siblings, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := Siblings{}
	var karpathy []struct {
		Image   string   `json:"image"`
		Caption []string `json:"caption"`
	}
	if strings.HasPrefix(strings.TrimSpace(string(data[:min(len(data), 64)])), "[") {
		if err := json.Unmarshal(data, &karpathy); err != nil {
			return nil, fmt.Errorf("%s: not a list of images with captions: %w", path, err)
		}
		for _, k := range karpathy {
			s.add(k.Image, k.Caption...)
		}
		return s, nil
	}
	var coco struct {
		Annotations []struct {
			Image   json.Number `json:"image_id"`
			Caption string      `json:"caption"`
		} `json:"annotations"`
	}
	if err := json.Unmarshal(data, &coco); err != nil {
		return nil, fmt.Errorf("%s: neither COCO's captions JSON nor a list of images with captions: %w", path, err)
	}
	for _, a := range coco.Annotations {
		s.add(a.Image.String(), a.Caption)
	}
	if len(s) == 0 {
		return nil, fmt.Errorf("%s: no captions in it", path)
	}
	return s, nil
}

func (s Siblings) add(image string, captions ...string) {
	s[imageNumber(image)] = append(s[imageNumber(image)], captions...)
}

// Of returns the captions of an image.
func (s Siblings) Of(image string) []string { return s[imageNumber(image)] }

// imageNumber is the number in which COCO's names of one image agree, from
// "val2014/COCO_val2014_000000184613.jpg" and from "184613": the last run of
// digits of the file name, without leading zeros. A name without digits is its
// own number.
func imageNumber(image string) string {
	stem := filepath.Base(image)
	stem = strings.TrimSuffix(stem, filepath.Ext(stem))
	begin := strings.LastIndexFunc(stem, func(r rune) bool { return r < '0' || r > '9' }) + 1
	n, err := strconv.ParseUint(stem[begin:], 10, 64)
	if err != nil {
		return image
	}
	return strconv.FormatUint(n, 10)
}
