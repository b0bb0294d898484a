package features

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"capgraph/eval/clip"
	"capgraph/kernels/products"
	"capgraph/train/images"
)

// Neighbours writes, for each image, the k others that are most like it, by the
// features of the images (NegCLIP, App. A): a line an image, its image key and those
// of its neighbours, the nearest first, separated by tabs, as the loader and the
// export for NegCLIP read it. Lines are in the order of the keys, and of equally near
// images the one of the lower key is first. Images that are broken, which it
// returns, are neither given nor named, nor are images that have no neighbour.
func Neighbours(ctx context.Context, f *Folder, list []clip.Captioned, k int, w io.Writer, o clip.Options) (broken []clip.Broken, err error) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b clip.Captioned) int { return strings.Compare(a.ImageKey, b.ImageKey) })
	all := make([]clip.Image, len(list))
	for i, c := range list {
		if strings.ContainsAny(c.ImageKey, "\t\r\n") {
			return nil, fmt.Errorf("image key %q has a tab or a line break, which the file of neighbours cannot have", c.ImageKey)
		}
		all[i] = clip.Image{Name: c.Image}
	}
	rows, kept, broken, err := clip.EncodeImages(ctx, f, all, o)
	if err != nil {
		return nil, err
	}
	nearest, err := products.Nearest(ctx, f.encoder.model.Device, rows, k)
	if err == nil {
		err = f.encoder.failed()
	}
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriter(w)
	for i, others := range nearest {
		if len(others) == 0 {
			continue
		}
		out.WriteString(list[kept[i]].ImageKey)
		for _, j := range others {
			out.WriteByte('\t')
			out.WriteString(list[kept[j]].ImageKey)
		}
		out.WriteByte('\n')
	}
	return broken, out.Flush()
}

// Named are images of a folder of texts, called what the set of f calls them: what
// the column `key` says, or `image`.
func (f *Folder) Named(list []clip.Captioned) []clip.Captioned {
	if !images.ByKey(f.images) {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].Image = cmp.Or(list[i].Key, list[i].Image)
	}
	return list
}
