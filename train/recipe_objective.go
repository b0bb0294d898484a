package train

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"capgraph/internal/strictyaml"
	"capgraph/train/model"
	"capgraph/train/objective"
)

// Objective is the weighted sum of objectives that a training minimises.
type Objective struct {
	CLIP      CLIP      `yaml:"clip" doc:"images and captions of a batch, contrasted both ways"`
	SigLIP    SigLIP    `yaml:"siglip" doc:"images and captions of a batch, each pair by itself, with a learned bias"`
	NegCLIP   NegCLIP   `yaml:"negclip" doc:"a hard-negative caption for each caption, besides"`
	CECLIP    CECLIP    `yaml:"ceclip" doc:"four kinds of hard negatives, contrasted within texts and ranked below their captions with margins that adapt"`
	MosaiCLIP MosaiCLIP `yaml:"mosaiclip" doc:"several sub-graph texts an image, with their hard negatives"`
	CSCLIP    CSCLIP    `yaml:"csclip" doc:"units of captions, each with a foil of its own: objects with their attributes, and relations; besides clip or negclip"`
	C2LIP     C2LIP     `yaml:"c2lip" doc:"noun phrases of captions with whole images, each pair by itself, with a learned bias; besides clip or siglip"`
	READCLIP  READCLIP  `yaml:"readclip" doc:"texts with their paraphrases, contrasted within texts; besides clip or negclip"`
	FSCCLIP   FSCCLIP   `yaml:"fscclip" doc:"a caption against its own hard negatives, by whole images and by patches, with a focal loss; besides clip"`
	OCCLIP    OCCLIP    `yaml:"occlip" doc:"images compared with the scene graphs of captions, node by node and relation by relation; model.binding_cfg is what compares"`
	SuperCLIP SuperCLIP `yaml:"superclip" doc:"images classified by the objects, attributes and relations that their captions state, without texts; besides others"`
	Margin    float64   `yaml:"margin" jsonschema:"minimum=0,maximum=100" doc:"largest margin of the hard negatives of negclip, mosaiclip and fscclip, in logits: more by as much for what surely and visibly differs; positives of mosaiclip then weigh as much as they are sure; 0: neither"`
	Distill   Distill   `yaml:"distill" doc:"similarities near those of the weights that the training begins with; besides others, with model.init"`
}

// Distill is distillation from the initial weights.
type Distill struct {
	Weight      float64 `yaml:"weight" jsonschema:"minimum=0" doc:"its share of the loss; 0: it is left out"`
	Temperature float64 `yaml:"temperature" jsonschema:"exclusiveMinimum=0" doc:"what similarities of both are divided by before the softmax; above 1: softer"`
}

// CLIP is symmetric InfoNCE.
type CLIP struct {
	Weight float64 `yaml:"weight" jsonschema:"minimum=0" doc:"its share of the loss; 0: it is left out"`
}

// SigLIP is the sigmoid loss of pairs (Zhai et al. 2023).
type SigLIP struct {
	Weight float64 `yaml:"weight" jsonschema:"minimum=0" doc:"its share of the loss; 0: it is left out"`
}

// NegCLIP is CLIP with one hard-negative caption for each caption; data.neighbours adds
// hard-negative images.
type NegCLIP struct {
	Weight    float64 `yaml:"weight" jsonschema:"minimum=0" doc:"its share of the loss; 0: it is left out"`
	TextCache int     `yaml:"text_cache" jsonschema:"minimum=0" doc:"texts of a step: where there are fewer, as many of earlier steps are added as negatives; 0: none"`
}

// CECLIP is the losses of CE-CLIP (ce-clip.txt §3).
type CECLIP struct {
	Weight       float64 `yaml:"weight" jsonschema:"minimum=0" doc:"its share of the loss; 0: it is left out"`
	IMC          float64 `yaml:"imc" jsonschema:"minimum=0" doc:"weight of the contrast within texts"`
	CMR          float64 `yaml:"cmr" jsonschema:"minimum=0" doc:"weight of the ranking"`
	MaxThreshold float64 `yaml:"max_threshold" jsonschema:"minimum=0" doc:"upper bound of the ranking's margins, in logits"`
	IMCMode      string  `yaml:"imc_mode" jsonschema:"enum=paper,enum=anchored" doc:"paper: eq. 3 as printed, without a positive; anchored: another caption of the image is the positive"`
	RelationTerm bool    `yaml:"relation_term" doc:"push a caption's relation negative away from it in the ranking too, as the paper's text says"`
}

// MosaiCLIP is the loss and the sampling of texts of MosaiCLIP (mosaiclip.txt §3.3 to 3.6).
type MosaiCLIP struct {
	Weight       float64   `yaml:"weight" jsonschema:"minimum=0" doc:"its share of the loss; 0: it is left out"`
	Positives    int       `yaml:"positives" jsonschema:"minimum=1,maximum=1024" doc:"most positive texts of an image, besides its caption"`
	Negatives    int       `yaml:"negatives" jsonschema:"minimum=0,maximum=1024" doc:"most hard negatives of an image"`
	Stage1Epochs int       `yaml:"stage1_epochs" jsonschema:"minimum=0" doc:"epochs of the curriculum's first stage, of one positive and one negative an image"`
	P            []float64 `yaml:"p" jsonschema:"minimum=0,maximum=1" doc:"how often a negative is drawn of the categories c_obj, c_rel and c_attr; the sum is 1"`
	Caption      float64   `yaml:"caption" jsonschema:"minimum=0,maximum=1" doc:"share of the negatives that are of the caption, which is always a positive; the rest is of sub-graphs, by p"`
	Bare         bool      `yaml:"bare" doc:"also take positives that name no attribute, such as 'a boy' and 'a boy holding a kite'"`
	Specific     bool      `yaml:"specific" doc:"draw positives that few captions of the corpus state more often: in proportion to 1 / pos_count; false: all alike"`
	Mask         string    `yaml:"mask" jsonschema:"enum=equal,enum=entailed" doc:"which texts of other images are also true of an image: equal, those that equal one of its own; entailed, also those of which its captions state each object, attribute and relation"`
	Compete      string    `yaml:"compete" jsonschema:"enum=together,enum=apart,enum=sigmoid" doc:"how the positives of an image compete: together, in one softmax, as in the paper; apart, each with a softmax of its own, against negatives alone; sigmoid, not at all: each image and text by itself, with a learned bias, as in SigLIP"`
	Swap         bool      `yaml:"swap" doc:"one negative as NegCLIP swaps it besides, as in pre-training"`
	TextCache    int       `yaml:"text_cache" jsonschema:"minimum=0" doc:"texts of a step: where there are fewer, as many of earlier steps are added as negatives; 0: none"`
}

// CSCLIP is the unit loss of CS-CLIP (Kargi et al. 2026).
type CSCLIP struct {
	Weight float64 `yaml:"weight" jsonschema:"minimum=0" doc:"its share of the loss; 0: it is left out"`
	Units  int     `yaml:"units" jsonschema:"minimum=1,maximum=1024" doc:"most units of an image; with mosaiclip the units are the positives that it draws"`
	Bare   bool    `yaml:"bare" doc:"also take units that name no attribute, such as 'a boy' and 'a boy holding a kite'"`
}

// C2LIP is the noun phrase losses of C2LIP (arXiv 2603.25722).
type C2LIP struct {
	Weight    float64 `yaml:"weight" jsonschema:"minimum=0" doc:"its share of the loss; 0: it is left out"`
	Attention float64 `yaml:"attention" jsonschema:"minimum=0" doc:"weight of the same loss of patches that a phrase attends to, for vision transformers; 0: it is left out"`
	Phrases   int     `yaml:"phrases" jsonschema:"minimum=1,maximum=1024" doc:"most noun phrases of an image; with mosaiclip or csclip the phrases are the positives that these draw"`
	Bare      bool    `yaml:"bare" doc:"also take phrases that name no attribute, such as 'a boy'"`
}

// READCLIP is the sentence-level alignment of READ-CLIP (arXiv 2510.16540).
type READCLIP struct {
	Weight float64 `yaml:"weight" jsonschema:"minimum=0" doc:"its share of the loss; 0: it is left out"`
	Pairs  int     `yaml:"pairs" jsonschema:"minimum=1,maximum=1024" doc:"most texts of an image that are compared with their paraphrases"`
}

// FSCCLIP is the hard-negative losses of FSC-CLIP (arXiv 2410.05210).
type FSCCLIP struct {
	Weight    float64 `yaml:"weight" jsonschema:"minimum=0" doc:"its share of the loss; 0: it is left out"`
	Global    float64 `yaml:"global" jsonschema:"minimum=0" doc:"weight of the choice of whole images between their caption and its negatives"`
	Local     float64 `yaml:"local" jsonschema:"minimum=0" doc:"weight of the same choice by tokens and the patches that they are near, for vision transformers; 0: it is left out"`
	Focal     float64 `yaml:"focal" jsonschema:"minimum=0,maximum=10" doc:"exponent of the focal loss, 0 or at least 1: the larger, the less do negatives count that are told already; 0: cross-entropy"`
	Smoothing float64 `yaml:"smoothing" jsonschema:"minimum=0,maximum=0.999999999" doc:"share of the target that a caption and its negatives have alike"`
}

// SuperCLIP is the classification of images into the parts of their captions, after SuperCLIP (arXiv 2512.14480).
type SuperCLIP struct {
	Weight  float64 `yaml:"weight" jsonschema:"minimum=0" doc:"its share of the loss; 0: it is left out"`
	Classes int     `yaml:"classes" jsonschema:"minimum=1,maximum=1048576" doc:"classes, which parts are hashed into"`
}

// checkTerms returns an error if the settings do not fit together.
func (f *FSCCLIP) checkTerms() error {
	switch {
	case f.Focal > 0 && f.Focal < 1:
		return strictyaml.At("objective.fscclip.focal", fmt.Errorf("%v: want 0 or at least 1; below 1 the gradient has no bound", f.Focal))
	case f.Weight > 0 && f.Global == 0 && f.Local == 0:
		return strictyaml.At("objective.fscclip.global", errors.New("0 leaves fscclip without a term, as local is 0 too: set one above 0, or objective.fscclip.weight to 0"))
	}
	return nil
}

// The values of MosaiCLIP.Mask.
const (
	MaskEqual    = "equal"
	MaskEntailed = "entailed"
)

// masksEntailed reports whether the objective masks texts that an image's captions entail.
func (m *MosaiCLIP) masksEntailed() bool { return m.Weight > 0 && m.Mask == MaskEntailed }

// needsParts reports whether an objective needs the parts that texts state: objects, attributes and relations.
func (o *Objective) needsParts() bool { return o.MosaiCLIP.masksEntailed() || o.SuperCLIP.Weight > 0 }

// needsBias reports whether an objective needs a learned bias of similarities.
func (o *Objective) needsBias() bool {
	return o.SigLIP.Weight > 0 || o.C2LIP.Weight > 0 || o.MosaiCLIP.Weight > 0 && objective.Compete(o.MosaiCLIP.Compete) == objective.Sigmoid
}

// checkTowers returns an error if an objective needs features of patches or tokens that a model does not
// have.
func (o *Objective) checkTowers(c model.Config) error {
	noPatches := errors.New("this image tower has no features of patches: choose a vision transformer, or set it to 0")
	local := o.FSCCLIP.Weight > 0 && o.FSCCLIP.Local > 0
	switch {
	case o.C2LIP.Weight > 0 && o.C2LIP.Attention > 0 && !c.HasPatchFeatures():
		return strictyaml.At("objective.c2lip.attention", noPatches)
	case local && !c.HasPatchFeatures():
		return strictyaml.At("objective.fscclip.local", noPatches)
	case local && c.Text.Padded:
		return strictyaml.At("objective.fscclip.local", errors.New("this text tower reads padding, which has no place in an image: set it to 0"))
	}
	return nil
}

// OCCLIP is the loss of OC-CLIP, which compares images with scene graphs (oc-clip.txt §3).
type OCCLIP struct {
	Weight   float64 `yaml:"weight" jsonschema:"minimum=0" doc:"its share of the loss; 0: it is left out"`
	Relation float64 `yaml:"relation" jsonschema:"minimum=0" doc:"weight of the local loss, of a graph against itself with a relation altered; 0: none is altered"`
}

func defaultCECLIP() CECLIP {
	return CECLIP{IMC: 0.2, CMR: 0.4, MaxThreshold: 10, IMCMode: "paper"}
}

func defaultFSCCLIP() FSCCLIP { return FSCCLIP{Global: 0.5, Local: 0.2, Focal: 2, Smoothing: 0.02} }

func defaultMosaiCLIP() MosaiCLIP {
	return MosaiCLIP{Positives: 3, Negatives: 6, Caption: 0.25, Mask: MaskEqual, Compete: string(objective.Together), P: []float64{0.15, 0.425, 0.425}}
}

// Names returns the names of the objectives with a weight above 0, with their weights if there are several.
func (o *Objective) Names() string {
	var names []string
	for _, w := range []struct {
		name   string
		weight float64
	}{{"clip", o.CLIP.Weight}, {"siglip", o.SigLIP.Weight}, {"negclip", o.NegCLIP.Weight}, {"ceclip", o.CECLIP.Weight}, {"mosaiclip", o.MosaiCLIP.Weight}, {"csclip", o.CSCLIP.Weight}, {"c2lip", o.C2LIP.Weight}, {"readclip", o.READCLIP.Weight}, {"fscclip", o.FSCCLIP.Weight}, {"occlip", o.OCCLIP.Weight}, {"superclip", o.SuperCLIP.Weight}, {"distill", o.Distill.Weight}} {
		if w.weight > 0 {
			names = append(names, fmt.Sprintf("%g %s", w.weight, w.name))
		}
	}
	if len(names) == 1 {
		return names[0][strings.IndexByte(names[0], ' ')+1:]
	}
	return strings.Join(names, " + ")
}

func (o *Objective) check() error {
	weights := o.CLIP.Weight + o.SigLIP.Weight + o.NegCLIP.Weight + o.CECLIP.Weight + o.MosaiCLIP.Weight + o.CSCLIP.Weight + o.C2LIP.Weight + o.READCLIP.Weight + o.FSCCLIP.Weight + o.OCCLIP.Weight + o.SuperCLIP.Weight
	switch p := o.MosaiCLIP.P; {
	case weights == 0:
		return strictyaml.At("objective", errors.New("nothing is minimised: set the weight of clip, siglip, negclip, ceclip, mosaiclip, csclip, c2lip, readclip, fscclip, occlip or superclip"))
	case math.IsInf(weights+o.Distill.Weight, 0):
		return strictyaml.At("objective", errors.New("the weights are too large to be added"))
	case len(p) != 3 || math.Abs(p[0]+p[1]+p[2]-1) > 1e-6:
		return strictyaml.At("objective.mosaiclip.p", fmt.Errorf("%v: want three shares, of c_obj, c_rel and c_attr, whose sum is 1", p))
	}
	if err := o.checkMargin(); err != nil {
		return err
	}
	return o.FSCCLIP.checkTerms()
}

// checkMargin returns an error if there is a margin but no objective that uses it.
func (o *Objective) checkMargin() error {
	switch {
	case o.Margin == 0:
		return nil
	case o.NegCLIP.Weight+o.MosaiCLIP.Weight+o.FSCCLIP.Weight == 0:
		return strictyaml.At("objective.margin", errors.New("negclip, mosaiclip and fscclip have margins, and none takes part: set it to 0"))
	case o.MosaiCLIP.Weight > 0 && objective.Compete(o.MosaiCLIP.Compete) != objective.Together:
		return strictyaml.At("objective.margin", errors.New("positives are weighed where they compete together: set objective.mosaiclip.compete to together, or it to 0"))
	}
	return nil
}
