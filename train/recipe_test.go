package train

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"capgraph/internal/strictyaml"
	"capgraph/internal/strictyaml/yamlschema"
	"capgraph/schemas/drawing"
	"capgraph/store"
	"capgraph/train/benchmarks"
	"capgraph/train/model"
	"capgraph/train/tokenizer"
)

var update = flag.Bool("update", false, "write golden files")

// minimal is the least recipe that is valid, to fine-tune a model.
const minimal = `data:
  corpora: {texts: out/coco, images: {paths: coco}}
model: {config: ViT-B-32, init: w.safetensors}
objective: {mosaiclip: {weight: 1}}
epochs: 5
output: {dir: out/train}
`

func load(t *testing.T, text string, sets ...string) (*Recipe, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "train.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := Load(path, sets)
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), path, "train.yaml"))
	}
	return r, nil
}

// TestTheRecipeOfTheRepositoryIsTheSmallWorld holds train.yaml to the defaults,
// but for what makes it the small run that it says it is.
func TestTheRecipeOfTheRepositoryIsTheSmallWorld(t *testing.T) {
	r, err := Load("../train.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Defaults()
	want.World.Train, want.Epochs, want.Batch.Size, want.Output.Dir = 4000, r.Epochs, 64, "out/train"
	want.Tokenizer.Kind = TokenizerLearned
	want.Objective.CLIP.Weight, want.Objective.MosaiCLIP.Weight, want.Objective.MosaiCLIP.Swap = 1, 0.5, true
	want.Optimiser.LR = r.Optimiser.LR
	want.Model = Model{
		Freeze: r.Model.Freeze, EmbedDim: 64,
		Vision: Vision{ImageSize: 32, PatchSize: 8, Width: 64, Layers: []int{2}, HeadWidth: 32},
		Text:   Text{Context: 32, Width: 64, Heads: 2, Layers: 2},

		Binding: Binding{Width: 64, Relation: 32, Layers: 2, Heads: 4, Defaults: 4},
	}
	want.WiSEFT = r.WiSEFT
	if !reflect.DeepEqual(*r, want) || len(r.WiSEFT)+len(r.Model.Freeze) > 0 {
		t.Errorf("the recipe has other values than it says:\n%+v\nwant\n%+v", *r, want)
	}
}

// TestEveryKeyIsInTheRecipe finds each key in train.yaml, be it in a comment.
func TestEveryKeyIsInTheRecipe(t *testing.T) {
	text, err := os.ReadFile("../train.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range strictyaml.Keys[Recipe]() {
		if last := key[strings.LastIndexByte(key, '.')+1:]; !bytes.Contains(text, []byte(last+":")) {
			t.Errorf("train.yaml lacks %s", key)
		}
	}
}

// TestThePapersRecipes are OC-CLIP's, and what it compares with (§4.2, App. A.8).
func TestThePapersRecipes(t *testing.T) {
	graphs, err := Load("../docs/recipes/train.occlip.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	o := &graphs.Optimiser
	binding, text, image := o.RatesFor("binding.keys.weight", "binding", true), o.RatesFor("text_projection", "text", true), o.RatesFor("visual.proj", "image", true)
	if graphs.Objective.Names() != "occlip" || graphs.Batch.Size != 128 || graphs.Epochs != 100 || o.Beta1 != 0.9 || o.Beta2 != 0.95 || graphs.Model.Binding != defaultBinding() ||
		binding != (Rates{2e-4, 0.2, 0}) || text != (Rates{2e-5, 0.2, 1000}) || image != (Rates{1e-6, 0.2, 5000}) {
		t.Errorf("OC-CLIP's recipe is %+v", graphs)
	}
	plain, err := Load("../docs/recipes/train.openclip-ft.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	if plain.Objective.Names() != "clip" || plain.Batch.Size != 256 || plain.Epochs != 20 || plain.Optimiser.LR != 4e-6 || !reflect.DeepEqual(plain.Data, graphs.Data) {
		t.Errorf("OpenCLIP-FT's recipe is %+v", plain)
	}
	towers, err := model.Read(store.Local{}, "ViT-B-16")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*Recipe{graphs, plain} {
		if c, err := r.modelConfig(store.Local{}, tokenizer.CLIPSize); err != nil || c.WithoutBinding() != towers || c.Binding.IsNone() != (r == plain) {
			t.Errorf("%s: the model is %+v, %v", r.Objective.Names(), c, err)
		}
	}
}

func TestALeastRecipeFineTunes(t *testing.T) {
	r, err := load(t, minimal)
	if err != nil {
		t.Fatal(err)
	}
	want := strictyaml.List[Corpus]{{Texts: "out/coco", Images: Images{Format: "auto", Paths: []string{"coco"}}}}
	if !reflect.DeepEqual(r.Data.Corpora, want) || r.Optimiser.LR != 1e-5 || r.Batch.Size != 256 || r.Optimiser.Warmup != 50 || r.Model.IsInline() {
		t.Errorf("got %+v", r)
	}
	r, err = load(t, minimal, "data.corpora=[{texts: a, images: {paths: b}, weight: 1}, {texts: c, images: {paths: [d, e], format: parquet, column: jpg}, weight: 2.5}]", "wise_ft=0.5")
	if err != nil || len(r.Data.Corpora) != 2 || r.Data.Corpora[0].Weight != 1 || r.Data.Corpora[1].Weight != 2.5 || r.Data.Corpora[1].Images.Column != "jpg" || !reflect.DeepEqual(r.WiSEFT, []float64{0.5}) {
		t.Errorf("got %+v, %v", r, err)
	}
	if r, err = load(t, minimal, "data.corpora.images.format=tars", "data.corpora.texts=b"); err != nil || r.Data.Corpora[0].Images.Format != "tars" || r.Data.Corpora[0].Texts != "b" || r.Data.Corpora[0].Images.Paths[0] != "coco" {
		t.Errorf("got %+v, %v", r, err)
	}
}

// The keys of a corpus may be set in any order.
func TestKeysOfACorpusInAnyOrder(t *testing.T) {
	sets := []string{"data.corpora.texts=a", "data.corpora.images.paths=b", "data.corpora.images.column=c", "data.corpora.weight=2", "world.train=0", "steps=1", "objective.clip.weight=1"}
	for range sets {
		sets = append(sets[1:], sets[0])
		r, err := Load("", append(sets, "output.dir=o", "model.config=ViT-B-32"))
		want := []Corpus{{Texts: "a", Weight: 2, Images: Images{Format: ImagesAuto, Paths: []string{"b"}, Column: "c"}}}
		if err != nil || !reflect.DeepEqual(r.Corpora(), want) {
			t.Fatalf("%q: %v, %+v", sets, err, r)
		}
	}
}

func TestWorldReplacesCorporaAndPairs(t *testing.T) {
	r, err := Load("../train.yaml", []string{"world.dir=w"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Corpus{{Texts: "w/run", Images: Images{Format: "tars", Paths: []string{"w/train"}}}}
	if got := r.Corpora(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	words := []benchmarks.Task{benchmarks.SugarCrepe("w/tests/words.json")}
	if tasks, images, err := r.benchmarks(); err != nil || !reflect.DeepEqual(tasks, words) || !slices.Equal(images, []string{"w/tests"}) {
		t.Errorf("got %+v, %s, %v", tasks, images, err)
	}
	if r, err = load(t, minimal, "evaluate={benchmarks: sugarcrepe=p.json, images: i}"); err != nil {
		t.Fatal(err)
	}
	tasks, images, err := r.benchmarks()
	if err != nil || !reflect.DeepEqual(tasks, []benchmarks.Task{benchmarks.SugarCrepe("p.json")}) || !slices.Equal(images, []string{"i"}) || len(r.Corpora()) != 1 || r.Corpora()[0].Texts != "out/coco" {
		t.Errorf("got %+v, %s, %v, %+v", tasks, images, err, r.Corpora())
	}
}

func TestTheConfigurationIsOpenCLIPs(t *testing.T) {
	r, err := Load("../train.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Model.JSON(517)
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "embed_dim": 64,
  "vision_cfg": {
    "image_size": 32,
    "patch_size": 8,
    "width": 64,
    "head_width": 32,
    "layers": 2
  },
  "text_cfg": {
    "context_length": 32,
    "vocab_size": 517,
    "width": 64,
    "heads": 2,
    "layers": 2
  }
}`
	if string(got) != want {
		t.Errorf("got %s", got)
	}
}

func TestGroupsHaveRatesOfTheirOwn(t *testing.T) {
	r, err := load(t, minimal+`optimiser:
  lr: 0.1
  groups:
  - {match: logit_scale, lr: 0}
  - {match: visual.conv*, warmup: 7}
  - {match: image, lr: 0.01, weight_decay: 0.3}
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, tower string
		decays      bool
		want        Rates
	}{
		{"logit_scale", "", false, Rates{0, 0, 50}},
		{"visual.conv1.weight", "image", true, Rates{0.1, 0.1, 7}},
		{"visual.proj", "image", true, Rates{0.01, 0.3, 50}},
		{"visual.ln_post.bias", "image", false, Rates{0.01, 0, 50}},
		{"text_projection", "text", true, Rates{0.1, 0.1, 50}},
	} {
		if got := r.Optimiser.RatesFor(c.name, c.tower, c.decays); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestGroupsThatMatchNothing are a mistake in a name, which would train with other rates.
func TestGroupsThatMatchNothing(t *testing.T) {
	for match, wrong := range map[string]bool{
		"image": false, "visual.transformer.resblocks.1*": false, "logit_scale": false,
		"vision": true, "visual.blocks.*": true, "binding": true, // without occlip
	} {
		r, err := load(t, minimal, "optimiser.groups.match="+match)
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.modelConfig(store.Local{}, tokenizer.CLIPSize)
		if want := fmt.Sprintf("optimiser.groups[0].match: %q matches no parameter of the model", match); (err != nil) != wrong || wrong && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", match, err)
		}
	}
}

// TestContextOfANamedModel sets another context length beside model.config.
func TestContextOfANamedModel(t *testing.T) {
	for set, want := range map[string]int{"model.text_cfg.context_length=0": 77, "model.text_cfg.context_length=120": 120} {
		r, err := load(t, minimal, set)
		if err != nil {
			t.Fatal(err)
		}
		c, err := r.modelConfig(store.Local{}, tokenizer.CLIPSize)
		if n, also := r.contextLength(store.Local{}); err != nil || also != nil || c.Text.ContextLength != want || n != want {
			t.Errorf("%s: %d and %d, %v, %v", set, c.Text.ContextLength, n, err, also)
		}
	}
}

// TestFineTuningRecipe holds train.finetune.yaml to the defaults of fine-tuning.
func TestFineTuningRecipe(t *testing.T) {
	r, err := Load("../docs/recipes/train.finetune.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Defaults()
	if !reflect.DeepEqual(r.Optimiser, want.Optimiser) || !reflect.DeepEqual(r.Batch, want.Batch) || r.Model.IsInline() || r.World.Train != 0 || r.Objective.Names() != "negclip" {
		t.Errorf("got %+v", r)
	}
	var out strings.Builder
	if err := DryRun(&out, store.Local{}, r); err != nil || !strings.Contains(out.String(), "151,277,313") {
		t.Errorf("%v: %s", err, out.String())
	}
}

// A recipe's own ResNet is the one that open_clip makes of the same numbers.
func TestAResNetInARecipe(t *testing.T) {
	r, err := load(t, "world: {train: 10}\ntokenizer: {kind: learned}\nobjective: {clip: {weight: 1}}\nsteps: 3\noutput: {dir: a}\n"+
		"model: {embed_dim: 8, vision_cfg: {image_size: 64, width: 8, layers: [1, 2, 1, 1], head_width: 32}, text_cfg: {width: 8, heads: 2, layers: 1}}\n")
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.modelConfig(store.Local{}, 100)
	want := model.Image{Stages: model.Stages{1, 2, 1, 1}, Width: 8, HeadWidth: 32, PatchSize: 32, ImageSize: 64, MLPRatio: 4}
	if err != nil || c.Image != want {
		t.Errorf("%+v, %v, not %+v", c.Image, err, want)
	}
}

func TestMistakesHaveTheirPlace(t *testing.T) {
	world := "world: {train: 10}\ntokenizer: {kind: learned}\nobjective: {clip: {weight: 1}}\nsteps: 3\noutput: {dir: a}\n"
	inline := "model: {embed_dim: 8, vision_cfg: {image_size: 32, patch_size: 8, width: 8, layers: 1, head_width: 4}, text_cfg: {width: 8, heads: 2, layers: 1}}\n"
	if _, err := load(t, world+inline); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		sets []string
		want string
	}{
		{"", nil, "data.corpora: there is nothing to train on"},
		{minimal, []string{"device=tpu"}, `--set device=tpu: device: "tpu" is none of auto, cpu, cuda, cuda:0, cuda:1, …`},
		{minimal, []string{"batch.size=0"}, "batch.size: 0 is less than 1"},
		{minimal, []string{"optimiser.lr=.nan"}, "optimiser.lr: NaN is not a finite number"},
		{minimal, []string{"optimiser.eps=0"}, "optimiser.eps: 0 is not above 0"},
		{minimal, []string{"optimiser.beta2=1"}, "optimiser.beta2: 1 is more than"},
		{minimal, []string{"optimiser.cooldown=9"}, "--set optimiser.cooldown=9: optimiser.cooldown: 9, and the schedule is cosine"},
		{minimal, []string{"optimiser.groups={match: '['}"}, "is not a valid pattern"},
		{minimal, []string{"optimiser.groups.lr=1"}, "optimiser.groups[0].match: nothing is matched"},
		{minimal, []string{"steps=5"}, "--set steps=5: steps: 5, and epochs is 5"},
		{minimal, []string{"epochs=0"}, "--set epochs=0: epochs: 0, and steps is 0 too"},
		{minimal, []string{"world.train=5"}, "there is a world to train on"},
		{minimal, []string{"data.scale=0.5"}, "data.scale: [0.5]: want the least share and the greatest"},
		{minimal, []string{"data.scale=[1, 0.5]"}, "data.scale: [1 0.5]: want the least share and the greatest"},
		{minimal, []string{"data.scale=[0, 0.5]"}, "0 is not above 0"},
		{minimal, []string{"data.corpora.weight=-1"}, "data.corpora[0].weight: -1 is less than 0"},
		{minimal, []string{"data.corpora.texts="}, "data.corpora[0].texts: no folder is named"},
		{minimal, []string{"data.corpora.images.paths="}, "data.corpora[0].images.paths: nothing is named"},
		{minimal, []string{"data.corpora.images.format=zip"}, `"zip" is none of auto, tars, folder, parquet`},
		{minimal, []string{"data.captions.whole=0"}, "data.captions: whole, sentences and parts are all 0"},
		{minimal, []string{"data.captions.first_sentence=false", "objective.negclip.weight=1"}, "data.captions: negclip, ceclip, fscclip and the swaps of mosaiclip compare a caption"},
		{minimal, []string{"data.captions.parts=-1"}, "data.captions.parts: -1 is less than 0"},
		{minimal, []string{"data.neighbours=near.tsv"}, "data.neighbours: only negclip reads it"},
		{minimal, []string{"data.max_left_out=2"}, "2 is more than 1"},
		{minimal, []string{"model.text_cfg.context_length=1"}, "model.text_cfg.context_length: 1: a text has two marks at least"},
		{minimal, []string{"model.config=", "model.init="}, "model.config: no model is named"},
		{minimal, []string{"model.freeze=both"}, `"both" is none of image, text`},
		{minimal, []string{"objective.mosaiclip.weight=0"}, "objective: nothing is minimised"},
		{minimal, []string{"objective.mosaiclip.p=[0.5, 0.5]"}, "want three shares"},
		{minimal, []string{"objective.mosaiclip.p=[0.5, 0.5, 0.5]"}, "whose sum is 1"},
		{minimal, []string{"objective.ceclip.imc_mode=none"}, `"none" is none of paper, anchored`},
		{minimal, []string{"objective.clip.weight=1e308", "objective.negclip.weight=1e308"}, "too large to be added"},
		{minimal, []string{"objective.fscclip.focal=0.5"}, "objective.fscclip.focal: 0.5: want 0 or at least 1"},
		{minimal, []string{"objective.mosaiclip.weight=0", "objective.clip.weight=1", "objective.margin=2"}, "objective.margin: negclip, mosaiclip and fscclip have margins, and none takes part"},
		{minimal, []string{"objective.margin=2", "objective.mosaiclip={weight: 1, compete: apart}"}, "objective.margin: positives are weighed where they compete together"},
		{minimal, []string{"objective.margin=101", "objective.negclip.weight=1"}, "objective.margin: 101 is more than 100"},
		{minimal, []string{"objective.fscclip.focal=11"}, "objective.fscclip.focal: 11 is more than 10"},
		{minimal, []string{"objective.fscclip.smoothing=1"}, "objective.fscclip.smoothing: 1 is more than"},
		{minimal, []string{"objective.fscclip={weight: 1, global: 0, local: 0}"}, "objective.fscclip.global: 0 leaves fscclip without a term"},
		{minimal, []string{"objective.occlip.relation=-1"}, "objective.occlip.relation: -1 is less than 0"},
		{minimal, []string{"model.binding_cfg.width=250"}, "model.binding_cfg.width: 250 does not divide into heads: heads is 4"},
		{minimal, []string{"wise_ft=[0.5, 2]"}, "wise_ft[1]: 2 is more than 1"},
		{minimal, []string{"output.dir="}, "output.dir: no folder is named"},
		{minimal, []string{"output.keep_best=benchmark"}, "benchmark needs evaluate.benchmarks"},
		{minimal, []string{"evaluate.benchmarks=pairs=a.json"}, `evaluate.benchmarks: no benchmark is called "pairs"`},
		{minimal, []string{"evaluate.benchmarks=[retrieval=a.json, sugarcrepe]"}, `evaluate.benchmarks: "sugarcrepe" names no file`},
		{minimal + "batch: {sise: 3}\n", nil, `the nearest valid key is "batch.size"`},
		{minimal, []string{"model.embed_dim=64"}, "the recipe has a configuration of its own"},
		{world + inline, []string{"model.vision_cfg.width=10"}, "model.vision_cfg.width: 10 does not divide into heads: head_width is 4"},
		{world + inline, []string{"model.vision_cfg.patch_size=0"}, "model.vision_cfg.patch_size: is missing"},
		{world + inline, []string{"model.vision_cfg.layers=0"}, "model.vision_cfg.layers[0]: 0 is less than 1"},
		{world + inline, []string{"model.vision_cfg.layers=[]"}, "model.vision_cfg.layers: is missing"},
		{world + inline, []string{"model.vision_cfg.layers=[1,1,1,1]"}, "has no patches: leave it out"},
		{world + inline, []string{"model.vision_cfg.layers=[1,1,1]", "model.vision_cfg.patch_size=0"}, "those of its four stages"},
		{world + inline, []string{"model.vision_cfg.layers=[1,1,1,1]", "model.vision_cfg.patch_size=0", "model.vision_cfg.head_width=48"}, "must be a multiple of head_width, 48"},
		{world + inline, []string{"model.text_cfg.heads=0"}, "model.text_cfg.heads: is missing"},
		{world + inline, []string{"tokenizer.kind=unigram"}, "tokenizer.vocabulary: no tokenizer.json is named"},
		{world + inline, []string{"output.keep_best=benchmark"}, "benchmark needs evaluate.every above 0"},
		{world + inline, []string{"wise_ft=0.5"}, "the weights before are random"},
		{world + inline, []string{"objective.distill.weight=1"}, "would be random"},
		{minimal, []string{"objective.distill.weight=1", "objective.mosaiclip.weight=0"}, "nothing is minimised"},
		{world + inline, []string{"lora.rank=4"}, "would be random"},
		{minimal, []string{"lora={rank: 4, targets: []}"}, "nothing has an adapter"},
		{minimal, []string{"lora={rank: 4, targets: [embedding]}"}, "none of attention, mlp"},
		{minimal, []string{"ema.decay=1"}, "ema.decay: 1 is more than"},
		{world + inline, []string{"world.dir="}, "world.dir: no folder is named"},
		{world + inline, []string{"world.side=4"}, "world.side: 4 is less than 8"},
	} {
		_, err := load(t, c.text, c.sets...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.sets, err, c.want)
		}
	}
	resNet := []string{"model.vision_cfg.layers=[1,1,1,1]", "model.vision_cfg.patch_size=0"}
	for _, c := range []struct{ set, want string }{
		{"objective.c2lip={weight: 1}", "objective.c2lip.attention: this image tower has no features of patches"},
		{"objective.c2lip={weight: 1, attention: 0}", "<nil>"},
		{"objective.fscclip={weight: 1}", "objective.fscclip.local: this image tower has no features of patches"},
		{"objective.fscclip={weight: 1, local: 0}", "<nil>"},
	} {
		r, err := load(t, world+inline, append(resNet, c.set)...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.modelConfig(store.Local{}, 30); !strings.HasPrefix(fmt.Sprint(err), c.want) {
			t.Errorf("%s of a ResNet: got %v, want %s", c.set, err, c.want)
		}
	}
}

// SigLIP's texts are padded, and its image tower has patches.
func TestLocalTermNeedsTextsWithoutPadding(t *testing.T) {
	siglip, err := model.Read(store.Local{}, "ViT-B-16-SigLIP")
	if err != nil {
		t.Fatal(err)
	}
	o := Objective{FSCCLIP: defaultFSCCLIP(), C2LIP: C2LIP{Weight: 1, Attention: 0.01}}
	if err := o.checkTowers(siglip); err != nil {
		t.Error(err)
	}
	o.FSCCLIP.Weight = 1
	if err := o.checkTowers(siglip); err == nil || !strings.Contains(err.Error(), "objective.fscclip.local: this text tower reads padding") {
		t.Errorf("got %v", err)
	}
}

// TestNegativesThatObjectivesShare has the classes of caption negatives that are drawn for several
// objectives.
func TestNegativesThatObjectivesShare(t *testing.T) {
	four, one := drawing.CECLIPClasses[:], drawing.NegCLIPClasses[:]
	for _, c := range []struct {
		objectives []string
		want       []string
	}{
		{nil, nil}, {[]string{"fscclip"}, four}, {[]string{"ceclip", "negclip", "fscclip"}, four}, {[]string{"negclip", "fscclip"}, one},
	} {
		sets := []string{"objective.mosaiclip.weight=0", "objective.clip.weight=1"}
		for _, name := range c.objectives {
			sets = append(sets, "objective."+name+".weight=1")
		}
		r, err := load(t, minimal, sets...)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.planDraws(0).Classes; !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.objectives, got, c.want)
		}
	}
}

func TestTheSchemaIsOfTheseKeysAndAcceptsTheRecipe(t *testing.T) {
	data, err := yamlschema.Of[Recipe]("capgraph training recipe")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("../train.schema.json", data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile("../train.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, committed) {
		t.Fatal("train.schema.json is out of date: go test ./train -run Schema -update")
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("recipe.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("recipe.json")
	if err != nil {
		t.Fatal(err)
	}
	recipe, err := os.ReadFile("../train.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{string(recipe), true}, {minimal, true}, {"modle: {}", false}, {"seed: many", false}, {"device: tpu", false}, {"batch: {size: 0}", false},
		{"data: {corpora: [{texts: a}]}", true}, {"data: {corpora: [{text: a}]}", false}, {"data: {corpora: {images: {format: zip}}}", false},
		{"wise_ft: 0.5", true}, {"wise_ft: [0.5]", true}, {"wise_ft: half", false}, {"optimiser: {groups: {match: image, lr: 0}}", true}, {"optimiser: {eps: 0}", false},
	} {
		var value any
		if err := yaml.Unmarshal([]byte(c.text), &value); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != c.ok {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	for _, key := range strictyaml.Keys[Recipe]() {
		last := key[strings.LastIndexByte(key, '.')+1:]
		if !bytes.Contains(data, []byte(`"`+last+`"`)) {
			t.Errorf("the schema lacks %s", key)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(minimal)
	f.Add("data: {corpora: [{texts: a}, ~]}")
	f.Add("optimiser: {groups: [{match: image, lr: 1}]}")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "t.yaml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		Load(path, nil)
	})
}
