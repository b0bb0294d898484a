package clip

import (
	"fmt"
	"path"
	"strings"

	"capgraph/store"
)

// Kind is a kind of benchmark that Read reads.
type Kind struct {
	Name    string // as in Read
	Form    string // the expected form of its files, for errors and help
	Summary string // a few words
	parse   func([]byte) (Benchmark, error)
}

// Kinds returns the kinds of benchmarks that Read reads.
func Kinds() []Kind { return kindsWithTagger(nil) }

// kindsWithTagger returns the kinds. tag is called for those that shuffle words.
func kindsWithTagger(tag Tagger) []Kind {
	return []Kind{
		{"sugarcrepe", sugarCrepeForm, "SugarCrepe: an image and a false caption", func(data []byte) (Benchmark, error) {
			pairs, err := parseSugarCrepe(data)
			return pairBenchmark("", pairs), err
		}},
		{"sugarcrepe++", sugarCrepePPForm, "SugarCrepe++: two true captions and a false one", parseSugarCrepePP},
		{"aro", aroForm, "ARO's VG-Relation and VG-Attribution", parseARO},
		{"aro-order", orderForm, "ARO's COCO- and Flickr30k-Order: a caption among four shuffles", func(data []byte) (Benchmark, error) {
			return parseOrder(data, tag)
		}},
		{"valse", valseForm, "VALSE: a caption and its foil", parseVALSE},
		{"vl-checklist", vlCheckListForm, "VL-CheckList: a true and a false text", parseVLCheckList},
		{"crepe", crepeForm, "CREPE: a caption among hard negatives", parseCREPE},
		{"cola", colaForm, "COLA, multi-objects: two images and their captions", parseCOLA},
		{"svo", svoForm, "SVO-Probes: a sentence and two images", parseSVO},
		{"winoground", winoground.form, "Winoground: two images and two captions of the same words", winoground.parse},
		{"colorswap", colorSwap.form, "ColorSwap: two images and two captions with exchanged colours", colorSwap.parse},
		{"bivlc", biVLC.form, "BiVLC: two images and two captions", biVLC.parse},
		{"eqben", eqBenForm, "EqBen: two similar images and their captions", parseEqBen},
		{"naturalbench", naturalBench.form, "NaturalBench-Retrieval: two images and their captions", naturalBench.parse},
		{"negbench", negBenchForm, "NegBench: a caption among others that affirm or negate", parseNegBench},
		{"cc-neg", ccNegForm, "CC-Neg: a caption and one that denies a part of it", parseCCNeg},
		{"half-truths", halfTruthsForm, "Half-Truths of CS-CLIP: a short true caption and a longer false one", parseHalfTruths},
		{"mmvp-vlm", mmvpForm, "MMVP-VLM: pairs of images that CLIP encodes alike", parseMMVP},
		{"spec", specForm, "SPEC: sizes, positions, existence and numbers", parseSPEC},
		{"whatsup", whatsUpForm, "What's Up, A and B: four arrangements of two objects", parseWhatsUp},
		{"whatsup-coco", whatsUpSpatialForm, "What's Up, COCO-spatial", parseWhatsUpCOCO},
		{"whatsup-gqa", whatsUpSpatialForm, "What's Up, GQA-spatial", parseWhatsUpGQA},
		{"vsr", vsrForm, "Visual Spatial Reasoning: is a caption true?", parseVSR},
		{"own", ownForm, "a table of your own: images, their captions, and false captions", parseOwn},
	}
}

// Read reads a benchmark of a kind from the file called name. Its Name is the kind and the base name of
// the file, such as "sugarcrepe swap_obj". Errors give the file, the entry and the expected form. No
// cases are an error. tag is called for aro-order only.
func Read(files store.Store, kind, name string, tag Tagger) (Benchmark, error) {
	for _, k := range kindsWithTagger(tag) {
		if k.Name != kind {
			continue
		}
		b, err := parseFile(files, name, k.Form, k.parse)
		if err == nil && len(b.Cases) == 0 {
			err = fmt.Errorf("%s: has no case that counts (want %s)", name, k.Form)
		}
		base := path.Base(name)
		if kind == "spec" { // the files of all subsets have one name
			base = path.Join(path.Base(path.Dir(name)), base)
		}
		b.Name = kind + " " + strings.TrimSuffix(base, fileExtension(base))
		return b, err
	}
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.Name)
	}
	return Benchmark{}, fmt.Errorf("no benchmark is called %q: want one of %s", kind, strings.Join(names, ", "))
}

// fileExtension returns the extension of a base name, "" for ".json".
func fileExtension(base string) string {
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		return base[i:]
	}
	return ""
}
