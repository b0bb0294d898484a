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
	"capgraph/images"
	"capgraph/kernels/products"
)

// Neighbours writes, for each image, the k other images with the most similar features (NegCLIP,
// App. A). A line has the image key and the keys of its neighbours, the nearest first, separated by
// tabs; the loader and the export for NegCLIP read it. Lines are sorted by key; of equally near
// images the lower key comes first. Broken images are returned; they have no line and are no
// neighbours. Images without neighbours have no line either.
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
		err = f.encoder.deviceError()
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

// ResolveNames returns the images of a folder of texts with the names by which f's set finds them:
// the column `key` or `image`.
func (f *Folder) ResolveNames(list []clip.Captioned) []clip.Captioned {
	if !images.NamedByKey(f.images) {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].Image = cmp.Or(list[i].Key, list[i].Image)
	}
	return list
}
