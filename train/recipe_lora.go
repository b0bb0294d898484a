package train

import (
	"errors"
	"slices"

	"capgraph/internal/strictyaml"
	"capgraph/train/model"
	"capgraph/train/optimiser"
)

// LoRA has the settings of low-rank adapters (Hu et al. 2022). All other parameters of the towers are frozen.
type LoRA struct {
	Rank    int      `yaml:"rank" jsonschema:"minimum=0,maximum=1024" doc:"rank of the adapters, such as 8; 0: none, all weights are learned"`
	Alpha   float64  `yaml:"alpha" jsonschema:"exclusiveMinimum=0" doc:"adapters are multiplied by alpha / rank"`
	Targets []string `yaml:"targets" jsonschema:"enum=attention,enum=mlp" doc:"which matrices of transformer blocks have an adapter: those of attention, of the mlp; one or a list"`
}

// adaptsMatrix reports whether a parameter gets an adapter.
func (l *LoRA) adaptsMatrix(s model.Spec) bool {
	return l.Rank > 0 && slices.Contains(l.Targets, s.BlockPart())
}

// optimiserOptions returns the optimiser's settings of adapters; nil if there are none.
func (l *LoRA) optimiserOptions(seed uint64) *optimiser.LoRA {
	if l.Rank == 0 {
		return nil
	}
	return &optimiser.LoRA{Rank: l.Rank, Alpha: l.Alpha, Seed: seed, Adapts: l.adaptsMatrix}
}

// learnsParameter reports whether a parameter is trained: its tower is not frozen and, if there are adapters, it has
// one or is outside both towers.
func (r *Recipe) learnsParameter(s model.Spec) bool {
	inTower := s.Tower == model.ImageTower || s.Tower == model.TextTower
	return !slices.Contains(r.Model.Freeze, s.Tower) && (r.LoRA.Rank == 0 || !inTower || r.LoRA.adaptsMatrix(s))
}

func (r *Recipe) checkLoRA() error {
	switch {
	case r.LoRA.Rank == 0:
		return nil
	case len(r.LoRA.Targets) == 0:
		return strictyaml.At("lora.targets", errors.New("nothing has an adapter: want attention, mlp or both"))
	case r.Model.Init == "" && r.Model.InitImage == "":
		return strictyaml.At("lora.rank", errors.New("the weights that adapters are added to would be random: set model.init, or leave it out"))
	}
	return nil
}
