package train

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// unpinned are the settings that change nothing that is learned: sections, or keys.
var unpinned = map[string]bool{
	"device": true, "output": true, "evaluate": true, "wise_ft": true, "world.dir": true, "world.heldout": true,
	"data.workers": true, "data.keep_decoded": true, "data.prefetch": true, "batch.recompute": true, "store": true,
}

// pinned are the settings that what is learned depends on, by their keys.
func (r *Recipe) pinned() (map[string]string, error) {
	text, err := yaml.Marshal(r)
	if err != nil {
		return nil, err
	}
	var sections map[string]any
	if err := yaml.Unmarshal(text, &sections); err != nil {
		return nil, err
	}
	settings := map[string]string{}
	pin(settings, "", sections)
	return settings, nil
}

func pin(settings map[string]string, prefix string, section map[string]any) {
	for key, value := range section {
		key = prefix + key
		if unpinned[key] {
			continue
		}
		if below, ok := value.(map[string]any); ok {
			pin(settings, key+".", below)
			continue
		}
		if list, ok := value.([]any); ok && len(list) == 1 && key == "model.vision_cfg.layers" {
			value = list[0] // as it is written, and as checkpoints have it
		}
		settings[key] = strings.TrimSpace(fmt.Sprint(value))
	}
}
