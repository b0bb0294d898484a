package train

import (
	"errors"
	"fmt"
	"math"

	"capgraph/internal/strictyaml"
	"capgraph/synth"
)

// Data says which texts and images a training uses, and in which order.
type Data struct {
	Corpora     strictyaml.List[Corpus] `yaml:"corpora" doc:"folders of texts with their images: one or a list"`
	Captions    Captions                `yaml:"captions" doc:"which text of a row its caption is, for captions of several sentences"`
	Replacement bool                    `yaml:"replacement" doc:"draw each image anew, rather than each once in an epoch"`
	Samples     int                     `yaml:"samples" jsonschema:"minimum=0" doc:"images of an epoch; 0: as many as there are"`
	Shuffle     int                     `yaml:"shuffle" jsonschema:"minimum=1" doc:"images that are shuffled together: of so many the texts are in memory"`
	Scale       []float64               `yaml:"scale" jsonschema:"exclusiveMinimum=0,maximum=1" doc:"least and greatest share of an image's area that its random crop has"`
	Neighbours  string                  `yaml:"neighbours" doc:"for negclip: the file of nearest images that 'capgraph neighbours' writes, of which one joins each image"`
	MaxPixels   int                     `yaml:"max_pixels" jsonschema:"minimum=1" doc:"most pixels of an image, whose decoding takes up to 20 bytes a pixel; one with more is left out"`
	MaxLeftOut  float64                 `yaml:"max_left_out" jsonschema:"minimum=0,maximum=1" doc:"the largest share of an epoch's images that may be missing or broken; with more, the training ends with an error"`
	Workers     int                     `yaml:"workers" jsonschema:"minimum=0,maximum=1024" doc:"how many images are decoded at once; 0: as many as there are processors"`
	KeepDecoded int                     `yaml:"keep_decoded" jsonschema:"minimum=0,maximum=65536" doc:"GB of decoded images, of 3 bytes a pixel, that are kept in memory for the next epochs; 0: none"`
	Prefetch    int                     `yaml:"prefetch" jsonschema:"minimum=1,maximum=1024" doc:"batches that are made ready ahead of the step"`
}

// Corpus is a folder of texts with their images.
type Corpus struct {
	Texts  string  `yaml:"texts" doc:"the output.dir of a run, or its folder texts/"`
	Images Images  `yaml:"images" doc:"where the images lie that its rows name"`
	Weight float64 `yaml:"weight" jsonschema:"minimum=0" doc:"how often it is drawn from, in proportion to the other corpora's weights; 0 for all: each image is as likely as any"`
}

// UnmarshalYAML sets the defaults of a new corpus.
func (c *Corpus) UnmarshalYAML(decode func(any) error) error {
	type plain Corpus
	if c.Images.Format == "" {
		c.Images.Format = ImagesAuto
	}
	return decode((*plain)(c))
}

// Captions says which text of a row the objectives clip, siglip, distill and readclip use as its
// caption.
type Captions struct {
	Whole         int  `yaml:"whole" jsonschema:"minimum=0,maximum=1000000" doc:"how often it is the caption, in proportion to sentences and parts"`
	Sentences     int  `yaml:"sentences" jsonschema:"minimum=0,maximum=1000000" doc:"how often it is some of the sentences of the caption"`
	Parts         int  `yaml:"parts" jsonschema:"minimum=0,maximum=1000000" doc:"how often it is a positive that is part of the caption"`
	FirstSentence bool `yaml:"first_sentence" doc:"false: the first sentence of captions of several, which sums up the others, is left out"`
}

// wholeCaptions are the default: every caption whole.
var wholeCaptions = Captions{Whole: 1, FirstSentence: true}

// Images says where the image files of a corpus are.
type Images struct {
	Format string   `yaml:"format" jsonschema:"enum=auto,enum=tars,enum=folder,enum=parquet" doc:"tars: of img2dataset or webdataset, a member for each key; folder: files that rows name; parquet: a column; auto: by what lies there"`
	Paths  []string `yaml:"paths" doc:"files, folders, or globs of them: one or a list"`
	Column string   `yaml:"column" doc:"parquet: the column of the images; nothing: the one that img2dataset or datasets writes; tars: the extension of the images, such as input.jpg; nothing: any"`
}

// Values of Images.Format.
const (
	ImagesAuto = "auto"
	ImagesTars = "tars"
)

// Corpora returns the corpora of the training: the recipe's own, or the world.
func (r *Recipe) Corpora() []Corpus {
	if r.World.Train == 0 {
		return r.Data.Corpora
	}
	images := Images{Format: ImagesTars, Paths: []string{synth.TrainDir(r.World.Dir)}}
	return []Corpus{{Texts: r.World.TextsDir(), Images: images}}
}

func (r *Recipe) checkCorpora() error {
	o := &r.Objective
	switch d := &r.Data; {
	case d.Captions.Whole+d.Captions.Sentences+d.Captions.Parts == 0:
		return strictyaml.At("data.captions", errors.New("whole, sentences and parts are all 0: give one of them a weight"))
	case d.Captions != wholeCaptions && (o.NegCLIP.Weight > 0 || o.CECLIP.Weight > 0 || o.FSCCLIP.Weight > 0 || o.MosaiCLIP.Weight > 0 && o.MosaiCLIP.Swap):
		return strictyaml.At("data.captions", errors.New("negclip, ceclip, fscclip and the swaps of mosaiclip compare a caption with its own negatives, which are as long as it: leave data.captions out, or these"))
	case r.World.Train > 0 && r.World.Dir == "":
		return strictyaml.At("world.dir", errors.New("no folder is named"))
	case r.World.Train > 0 && len(d.Corpora) > 0:
		return strictyaml.At("data.corpora", errors.New("there is a world to train on: set world.train to 0, or leave the corpora out"))
	case r.World.Train == 0 && len(d.Corpora) == 0:
		return strictyaml.At("data.corpora", errors.New("there is nothing to train on: name the folder of a run and its images, or set world.train"))
	case len(d.Scale) != 2 || d.Scale[0] > d.Scale[1]:
		return strictyaml.At("data.scale", fmt.Errorf("%v: want the least share and the greatest, such as [0.9, 1]", d.Scale))
	case d.Neighbours != "" && r.Objective.NegCLIP.Weight == 0:
		return strictyaml.At("data.neighbours", errors.New("only negclip reads it: set objective.negclip.weight, or leave it out"))
	}
	total, weighted := 0.0, 0
	for i, c := range r.Data.Corpora {
		if c.Texts == "" {
			return strictyaml.At(fmt.Sprintf("data.corpora[%d].texts", i), errors.New("no folder is named"))
		}
		if len(c.Images.Paths) == 0 {
			return strictyaml.At(fmt.Sprintf("data.corpora[%d].images.paths", i), errors.New("nothing is named: set the files or folders of its images"))
		}
		total += c.Weight
		if c.Weight > 0 {
			weighted++
		}
	}
	if weighted > 0 && weighted < len(r.Data.Corpora) {
		return strictyaml.At("data.corpora", errors.New("some have a weight and some have none: give all of them one, or none"))
	}
	if math.IsInf(total, 0) {
		return strictyaml.At("data.corpora", errors.New("the weights are too large to be added"))
	}
	return nil
}
