package sources

import (
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"capgraph/internal/text"
	"capgraph/store"
)

// lookFurther checks the other files, completes what was found, and counts the rows of splits if there are
// any.
func (t *formatTrial) lookFurther(ctx context.Context, s store.Store) error {
	f, err := t.Options.formatByName()
	if err != nil {
		return err
	}
	t.setRoles()
	t.chooseLines(ctx, s, f)
	t.findMarks(f)
	t.PassedOver = nil
	var fits []string
	step := (len(t.Files) + filesChecked - 1) / filesChecked
	for i, file := range t.Files {
		if i%step != 0 || file.Path == t.file {
			if i%step != 0 {
				t.Unseen++
			}
			fits = append(fits, file.Path)
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		other := &formatTrial{Found: Found{Options: t.Options}}
		err := other.readRows(ctx, s, file)
		if store.IsEnvironmentError(err) {
			return err
		}
		if err == nil {
			t.HasImages = t.HasImages || other.HasImages
			fits = append(fits, file.Path)
			continue
		}
		t.PassedOver = append(t.PassedOver, PassedOver{file.Path, passedOverReason(ctx, s, f, file, err), f.listFiles != nil})
	}
	if f.listFiles == nil && len(fits) < len(t.Files) {
		t.Options.Paths = fits
		if t.Files, err = Expand(s, t.Options); err != nil {
			return err
		}
	}
	if t.Options.Format == "webdataset" && !t.HasImages {
		t.findImageMembers(ctx, s)
		if len(t.ImageMembers) == 1 && t.tryImageColumn(ctx, s, t.Files[0], t.ImageMembers[0]) {
			t.ImageMembers = nil
		}
	}
	switch t.Options.Format {
	case "folder":
		t.findPointers(s)
	case "webdataset":
		t.findPointerMembers(ctx, s)
	}
	if len(t.Splits) > 0 {
		return t.countSplits(ctx, s)
	}
	return nil
}

// chooseLines chooses how the texts of the source are split into captions, and reads the rows again.
func (t *formatTrial) chooseLines(ctx context.Context, s store.Store, f Format) {
	before := *t
	t.Options.Lines = t.Texts.chooseLines()
	if t.Options.Lines == LinesAuto {
		if !t.Texts.haveCaptionsInParts() {
			return
		}
		t.Options.Lines = LinesEach
		if !f.hasLists {
			t.Options.Format = "json" // that format also reads the list that karpathy reads
		}
	}
	for _, file := range t.Files {
		if file.Path == t.file && t.readRows(ctx, s, file) == nil {
			t.Texts.Parted = before.Texts.Parted
			return
		}
	}
	*t = before
}

// findImageMembers finds members of the first sample that may be its image, such as KEY.1.jpg.
func (t *formatTrial) findImageMembers(ctx context.Context, s store.Store) {
	in := &input{ctx: ctx, store: s, file: t.Files[0], opts: t.Options}
	m, err := in.openTar()
	if err != nil {
		return
	}
	defer m.close()
	first, err := m.current()
	for member := first; err == nil && member.key == first.key && len(t.ImageMembers) < maxMembersNamed; member, err = m.current() {
		if isImageMember(member.extension) {
			t.ImageMembers = append(t.ImageMembers, member.extension)
		}
		m.nextMember()
	}
}

// imagesChecked is how many images of a folder are checked.
const imagesChecked = 16

// findPointers reports an image in a folder that is a pointer of Git LFS instead.
func (t *formatTrial) findPointers(s store.Store) {
	checked := 0
	for _, m := range t.Files[0].members {
		if !isImageMember(strings.ToLower(path.Ext(m.Name))) {
			continue
		}
		if checked++; checked > imagesChecked {
			return
		}
		f, err := s.Open(m.Name)
		if err != nil {
			continue // a training tells
		}
		err = store.CheckPointerAt(f)
		f.Close()
		if err != nil {
			t.PassedOver = append(t.PassedOver, PassedOver{m.Name, err.Error(), true})
			return
		}
	}
}

// findPointerMembers reports an image in a tar that is a pointer of Git LFS instead.
func (t *formatTrial) findPointerMembers(ctx context.Context, s store.Store) {
	in := &input{ctx: ctx, store: s, file: t.Files[0], opts: t.Options}
	m, err := in.openTar()
	if err != nil {
		return
	}
	defer m.close()
	for checked := 0; checked < imagesChecked; m.nextMember() {
		member, err := m.current()
		if err != nil {
			return
		}
		if !isImageMember(member.extension) {
			continue
		}
		checked++
		data, err := m.readContent(store.PointerHead)
		if err != nil {
			return // a training tells
		}
		if err := store.CheckPointer(data, int64(len(data))); err != nil {
			t.PassedOver = append(t.PassedOver, PassedOver{t.Files[0].Path + "/" + member.name, err.Error(), true})
			return
		}
	}
}

// passedOverReason returns why a file is passed over: it has another format or other columns, or err.
func passedOverReason(ctx context.Context, s store.Store, not Format, file File, err error) string {
	if file.Size == 0 {
		return "is empty"
	}
	if not.listFiles == nil {
		var best *formatTrial
		for _, f := range Formats() {
			if f.listFiles != nil {
				continue
			}
			if t, err := f.tryPaths(ctx, s, []string{file.Path}, 0); err == nil && t.isBetter(best) {
				best = t
			}
		}
		if best != nil && best.Options.Format != not.Name {
			return "looks like " + best.Options.Format + ": it needs a recipe of its own"
		}
		if best != nil {
			return "has other columns: it needs a recipe of its own"
		}
	}
	return shortReason(err)
}

// passOverSet records that the files of a glob are passed over, except those that are read or
// belong to files that are read.
func (t *formatTrial) passOverSet(ctx context.Context, s store.Store, glob string) {
	infos, err := newRealNames(s).resolvePath(glob, nil)
	if err != nil {
		t.PassedOver = append(t.PassedOver, PassedOver{Name: glob, Reason: shortReason(err)})
		return
	}
	read := map[string]bool{}
	for _, f := range t.Files {
		read[f.Path] = true
		for _, m := range f.members {
			read[m.Name] = true
		}
		if stem := trimExtension(f.Path); t.Options.Format == "img2dataset" {
			read[stem], read[stem+extTar], read[stem+"_stats.json"] = true, true, true
		}
	}
	var left []string
	for _, i := range infos {
		if !read[i.Name] && !read[store.Dir(i.Name)] {
			left = append(left, i.Name)
		}
	}
	if len(left) == 0 {
		return
	}
	p := PassedOver{Name: glob, Reason: text.Counted(len(left), "file", "files")}
	var best *formatTrial
	for _, f := range Formats() {
		if t, err := f.tryPaths(ctx, s, left[:1], 0); err == nil && t.isBetter(best) {
			best = t
		}
	}
	if best != nil {
		p.Reason += " of format " + best.Options.Format + ", with a recipe of their own"
	}
	t.PassedOver = append(t.PassedOver, p)
}

// maxSplitRows bounds the rows that are read to count those of splits.
const maxSplitRows = 5_000_000

// countSplits counts the rows of each split.
func (t *formatTrial) countSplits(ctx context.Context, s store.Store) error {
	t.Splits = map[string]int{}
	n := 0
	for _, file := range t.Files {
		r, err := Scan(ctx, s, file, t.Options)
		for row := (Row{}); err == nil && n < maxSplitRows; n++ {
			if n%1024 == 0 && ctx.Err() != nil {
				err = ctx.Err()
				break
			}
			if err = r.Next(&row); err != nil {
				break
			}
			if row.Split != "" && row.Reject == "" {
				t.Splits[row.Split]++
			}
		}
		if r != nil {
			r.Close()
		}
		switch {
		case ctx.Err() != nil, store.IsEnvironmentError(err):
			return err
		case err != nil && !errors.Is(err, io.EOF):
			t.PassedOver = append(t.PassedOver, PassedOver{file.Path, shortReason(err), true})
		}
	}
	return nil
}
