package clip

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
)

func resultOf(name string, measures ...Measure) *Result {
	return &Result{Name: name, Measures: measures}
}

func measureOf(name string, value float64) Measure {
	return Measure{Name: name, Values: []float64{value}, Share: true}
}

// The fields and names are those of published files: SugarCrepe.json, Winoground.json and
// MSCOCOI2TRetrieval.json of embeddings-benchmark/results, and the README of CLIP_benchmark.
func TestHarnessFiles(t *testing.T) {
	files, err := HarnessFiles("out/ViT-B-32.safetensors", []*Result{
		resultOf("sugarcrepe swap_att", measureOf("accuracy", 0.75), measureOf("cross-modal gap", 0.1)),
		resultOf("sugarcrepe add_obj", measureOf("accuracy", 0.5)),
		resultOf("winoground examples", measureOf("text score", 0.25), measureOf("image score", 0.5), measureOf("group score", 0.125)),
		resultOf("retrieval dataset_coco test", measureOf("text to image R@5", 0.5), measureOf("image to text R@5", 0.75), measureOf("image to text nDCG@10", 0.625)),
		resultOf("zeroshot val", measureOf("top-1", 0.5), measureOf("top-1, mean over classes", 0.25)),
		resultOf("aro visual_genome_relation", measureOf("accuracy", math.NaN())),
		resultOf("spec count/image2text", measureOf("image-to-text", 1)),
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	var names []string
	for _, f := range files {
		var value any
		if err := json.Unmarshal(f.Data, &value); err != nil {
			t.Fatal(f.Name, err)
		}
		got[f.Name], names = value, append(names, f.Name)
	}
	if want := []string{
		"clip_benchmark/sugar_crepe_swap_att_out__ViT-B-32_image_caption_selection.json", "clip_benchmark/sugar_crepe_add_obj_out__ViT-B-32_image_caption_selection.json",
		"clip_benchmark/winoground_out__ViT-B-32_image_caption_selection.json", "clip_benchmark/mscoco_captions_out__ViT-B-32_zeroshot_retrieval.json",
		"clip_benchmark/val_out__ViT-B-32_zeroshot_classification.json", "clip_benchmark/aro_visual_genome_relation_out__ViT-B-32_image_caption_selection.json",
		"clip_benchmark/spec_count_image2text_out__ViT-B-32_image_caption_selection.json",
		"mteb/out__ViT-B-32/MSCOCOI2TRetrieval.json", "mteb/out__ViT-B-32/MSCOCOT2IRetrieval.json", "mteb/out__ViT-B-32/SugarCrepe.json", "mteb/out__ViT-B-32/Winoground.json",
	}; !slices.Equal(names[:7], want[:7]) || !slices.Equal(slices.Sorted(slices.Values(names[7:])), want[7:]) {
		t.Fatalf("files %q", names)
	}
	for name, want := range map[string]string{
		names[0]:                             `{"dataset":"sugar_crepe/swap_att","language":"en","metrics":{"acc":0.75,"cross_modal_gap":0.1},"model":"ViT-B-32","pretrained":"out/ViT-B-32.safetensors","task":"image_caption_selection"}`,
		names[3]:                             `{"dataset":"mscoco_captions","language":"en","metrics":{"image_retrieval_recall@5":0.5,"text_retrieval_recall@5":0.75,"text_retrieval_ndcg@10":0.625},"model":"ViT-B-32","pretrained":"out/ViT-B-32.safetensors","task":"zeroshot_retrieval"}`,
		names[4]:                             `{"dataset":"val","language":"en","metrics":{"acc1":0.5,"mean_per_class_recall":0.25},"model":"ViT-B-32","pretrained":"out/ViT-B-32.safetensors","task":"zeroshot_classification"}`,
		names[5]:                             `{"dataset":"aro/visual_genome_relation","language":"en","metrics":{"acc":null},"model":"ViT-B-32","pretrained":"out/ViT-B-32.safetensors","task":"image_caption_selection"}`,
		"mteb/out__ViT-B-32/SugarCrepe.json": `{"dataset_revision":"local","evaluation_time":null,"kg_co2_emissions":null,"mteb_version":null,"scores":{"test":[{"hf_subset":"swap_att","languages":["eng-Latn"],"main_score":0.75,"text_acc":0.75},{"hf_subset":"add_obj","languages":["eng-Latn"],"main_score":0.5,"text_acc":0.5}]},"task_name":"SugarCrepe"}`,
		"mteb/out__ViT-B-32/Winoground.json": `{"dataset_revision":"local","evaluation_time":null,"kg_co2_emissions":null,"mteb_version":null,"scores":{"test":[{"accuracy":0.125,"hf_subset":"default","image_acc":0.5,"languages":["eng-Latn"],"main_score":0.125,"text_acc":0.25}]},"task_name":"Winoground"}`,
		"mteb/out__ViT-B-32/MSCOCOI2TRetrieval.json": `{"dataset_revision":"local","evaluation_time":null,"kg_co2_emissions":null,"mteb_version":null,"scores":{"test":[{"cv_recall_at_5":0.75,"ndcg_at_10":0.625,"hf_subset":"default","languages":["eng-Latn"],"main_score":0.625}]},"task_name":"MSCOCOI2TRetrieval"}`,
	} {
		var value any
		if err := json.Unmarshal([]byte(want), &value); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got[name], value) {
			t.Errorf("%s: %s, want %s", name, fmt.Sprint(got[name]), want)
		}
	}
}
