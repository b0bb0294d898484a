package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// timmNetwork is a network of the timm library that open_clip's TimmModel uses as an image tower.
type timmNetwork struct {
	architecture
	Image // the values for keys that vision_cfg does not have
	// pools are the supported values of timm_pool.
	pools []string
	// proj is the supported value of timm_proj, the kind of projection to the common space.
	proj      string
	mean, std [3]float64
	squash    bool // as Config.Squash
}

// timmNetworks are the supported networks, by name without a tag of weights such as ".webli".
var timmNetworks = map[string]timmNetwork{
	"vit_small_patch14_dinov2": dinov2Network(12, 384),
	"vit_base_patch14_dinov2":  dinov2Network(12, 768),
	"vit_large_patch14_dinov2": dinov2Network(24, 1024),

	"swin_tiny_patch4_window7_224": swinNetwork(Stages{2, 2, 6, 2}, 96),

	"vit_base_patch16_siglip_224":   siglipNetwork(16, 224, 12, 768, 64, 4),
	"vit_base_patch16_siglip_256":   siglipNetwork(16, 256, 12, 768, 64, 4),
	"vit_base_patch16_siglip_384":   siglipNetwork(16, 384, 12, 768, 64, 4),
	"vit_base_patch16_siglip_512":   siglipNetwork(16, 512, 12, 768, 64, 4),
	"vit_large_patch16_siglip_256":  siglipNetwork(16, 256, 24, 1024, 64, 4),
	"vit_large_patch16_siglip_384":  siglipNetwork(16, 384, 24, 1024, 64, 4),
	"vit_so400m_patch14_siglip_224": siglipNetwork(14, 224, 27, 1152, 72, 3.7362),
	"vit_so400m_patch14_siglip_378": siglipNetwork(14, 378, 27, 1152, 72, 3.7362),
}

// findTimm returns the network with a name, which may have a tag of weights.
func findTimm(name string) (timmNetwork, error) {
	n, ok := timmNetworks[trimTag(name)]
	if !ok {
		return n, fmt.Errorf("vision_cfg.timm_model_name is %.80q: only %s are supported", name, strings.Join(slices.Sorted(maps.Keys(timmNetworks)), ", "))
	}
	return n, nil
}

// trimTag returns a name without its tag of weights.
func trimTag(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}

// timmFile has the keys of a written vision_cfg that are for networks of timm.
type timmFile struct {
	Name string `json:"timm_model_name"`
	Pool string `json:"timm_pool"`
	Proj string `json:"timm_proj"`
}

// parseTimm sets c to the values of a network of timm, if vision_cfg names one.
func (c *Config) parseTimm(network []byte) error {
	file := struct {
		Vision struct {
			Name     string  `json:"timm_model_name"`
			Pool     string  `json:"timm_pool"`
			Proj     string  `json:"timm_proj"`
			ProjBias bool    `json:"timm_proj_bias"`
			Drop     float64 `json:"timm_drop"`
			DropPath float64 `json:"timm_drop_path"`
		} `json:"vision_cfg"`
	}{}
	v := &file.Vision
	v.Pool, v.Proj = "avg", "linear" // open_clip's defaults
	if err := json.Unmarshal(network, &file); err != nil {
		return err
	}
	if v.Name == "" {
		return nil
	}
	n, err := findTimm(v.Name)
	if err != nil {
		return err
	}
	switch {
	case !slices.Contains(n.pools, v.Pool):
		return fmt.Errorf("vision_cfg.timm_pool is %.80q: only %q is supported of %s", v.Pool, n.pools[0], v.Name)
	case v.Proj != n.proj || v.ProjBias:
		return fmt.Errorf("vision_cfg.timm_proj is %.80q and timm_proj_bias %v: only %q and false are supported of %s", v.Proj, v.ProjBias, n.proj, v.Name)
	case v.Drop != 0 || v.DropPath != 0:
		return fmt.Errorf("vision_cfg.timm_drop is %v and timm_drop_path %v: nothing is dropped in training; only 0 is supported", v.Drop, v.DropPath)
	}
	c.Image, c.Mean, c.Std, c.Squash = n.Image, n.mean, n.std, n.squash
	c.Image.Timm = v.Name
	return nil
}

// timmFileOf returns the vision_cfg of a network of timm. open_clip reads the name and ignores the
// numbers.
func timmFileOf(i Image, pool string) visionFile {
	f := visionTransformer{}.toFile(i)
	f.timmFile = &timmFile{i.Timm, pool, "linear"}
	return f
}

// unknownArchitecture is the architecture of an unknown network, whose check returns err.
type unknownArchitecture struct {
	architecture
	err error
}

func (u unknownArchitecture) check(Config) error { return u.err }

// addTimmLinear adds a linear layer with timm's initial values.
func (t *towerSpecs) addTimmLinear(name string, in, out int) {
	t.addSpec(name+".weight", normal(0.02), out, in)
	t.addSpec(name+".bias", constant(0), out)
}

// addTimmBlocks adds the embedding of patches, the blocks and the last norm of timm's vision
// transformer. If layerScale is true, each half of a block has gains.
func (t *towerSpecs) addTimmBlocks(i Image, layerScale bool) {
	w, hidden, patch := i.Width, i.Hidden(), i.PatchSize
	addGains := func(name string) {
		if layerScale {
			t.addSpec(name, constant(1e-5), w)
		}
	}
	t.addSpec("patch_embed.proj.weight", fanIn(3*patch*patch), w, 3, patch, patch)
	t.addSpec("patch_embed.proj.bias", fanIn(3*patch*patch), w)
	for k := range i.Layers {
		at := fmt.Sprintf("blocks.%d.", k)
		t.blockNumber = k + 1
		t.addNorm(at+"norm1", w)
		t.addTimmLinear(at+"attn.qkv", w, 3*w)
		t.addTimmLinear(at+"attn.proj", w, w)
		addGains(at + "ls1.gamma")
		t.addNorm(at+"norm2", w)
		t.addTimmLinear(at+"mlp.fc1", w, hidden)
		t.addTimmLinear(at+"mlp.fc2", hidden, w)
		addGains(at + "ls2.gamma")
	}
	t.blockNumber = 0
	t.addNorm("norm", w)
}
