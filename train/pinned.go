package train

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// unpinnedSettings are the sections and keys of settings that do not change the trained weights. A
// resumed training may change them.
var unpinnedSettings = map[string]bool{
	"device": true, "output": true, "evaluate": true, "wise_ft": true, "world.dir": true, "world.heldout": true,
	"data.workers": true, "data.keep_decoded": true, "data.prefetch": true, "data.max_left_out": true, "batch.recompute": true, "store": true,
}

// pinnedSettings returns the settings that change the trained weights, by key.
func (r *Recipe) pinnedSettings() (map[string]string, error) {
	text, err := yaml.Marshal(r)
	if err != nil {
		return nil, err
	}
	var sections map[string]any
	if err := yaml.Unmarshal(text, &sections); err != nil {
		return nil, err
	}
	settings := map[string]string{}
	addPinned(settings, "", sections)
	return settings, nil
}

// addPinned adds the pinned settings of a section, whose keys begin with prefix, to settings.
func addPinned(settings map[string]string, prefix string, section map[string]any) {
	for key, value := range section {
		key = prefix + key
		if unpinnedSettings[key] {
			continue
		}
		if below, ok := value.(map[string]any); ok {
			addPinned(settings, key+".", below)
			continue
		}
		if list, ok := value.([]any); ok && len(list) == 1 && key == "model.vision_cfg.layers" {
			value = list[0] // the number itself, as recipes and earlier checkpoints write it
		}
		settings[key] = strings.TrimSpace(fmt.Sprint(value))
	}
}
