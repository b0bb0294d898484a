package golden

// LoRA is a training of low-rank adapters on the batches of Curve, with AdamW as in testdata/lora_ema.py.
type LoRA struct {
	Targets []string
	Rank    int
	Alpha   float64
	Losses  []float64
	Norms   []float64
	Weights map[string]Sketch
	// Adapters has sketches of the matrices A and B for every adapted matrix, after the last step.
	Adapters map[string]Sketch
}

// The training of LoRA and of averages of the tiny model: hyperparameters of AdamW and the number of steps.
const (
	LoRASteps  = 20
	LoRAWarmup = 3
	LoRARate   = 3e-3
)

// EMA is an average of the weights after the last step of a training.
type EMA struct {
	// Model is "tiny", trained as in LoRA, or "resnet", trained as in ResNet.
	Model   string
	Decay   float64
	Weights map[string]Sketch
}

// ReadLoRAAndEMA returns the golden values of adapters and of averages.
func ReadLoRAAndEMA() ([]LoRA, []EMA, error) {
	var file struct {
		LoRA []LoRA
		EMA  []EMA
	}
	err := readJSON("lora_ema.json", &file)
	return file.LoRA, file.EMA, err
}
