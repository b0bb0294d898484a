package clip

import (
	"encoding/json"
	"math"
	"path"
	"strings"
)

// ResultFile is a file of results in the form of another harness.
type ResultFile struct {
	Name string // relative, with slashes
	Data []byte
}

// harnessTask has the names that other harnesses give a benchmark, if the name of its file contains part.
type harnessTask struct {
	kind, part string
	dataset    string // of CLIP_benchmark; "*" means the name of the file
	task       string
	mteb       string // the task of MTEB; "" if it has none
}

// harnessTasks name datasets as build_dataset and tasks as get_dataset_default_task of CLIP_benchmark do
// (LAION-AI/CLIP_benchmark, clip_benchmark/datasets/builder.py), and tasks as the files of MTEB's results
// (embeddings-benchmark/results). The first that fits counts.
var harnessTasks = []harnessTask{
	{"sugarcrepe", "", "sugar_crepe/*", "image_caption_selection", "SugarCrepe"},
	{"winoground", "", "winoground", "image_caption_selection", "Winoground"},
	{"aro", "relation", "*", "image_caption_selection", "AROVisualRelation"},
	{"aro", "attribution", "*", "image_caption_selection", "AROVisualAttribution"},
	{"aro-order", "coco", "*", "image_caption_selection", "AROCocoOrder"},
	{"aro-order", "flickr", "*", "image_caption_selection", "AROFlickrOrder"},
	{"retrieval", "dataset_coco test", "mscoco_captions", "zeroshot_retrieval", "MSCOCO"},
	{"retrieval", "dataset_flickr30k test", "flickr30k", "zeroshot_retrieval", "Flickr30k"},
	{"retrieval", "", "*", "zeroshot_retrieval", ""},
	{"zeroshot", "", "*", "zeroshot_classification", ""},
	{"", "", "*", "image_caption_selection", ""},
}

// harnessNames are the names of measures in CLIP_benchmark (clip_benchmark/metrics) and MTEB. A measure that is
// not listed keeps its name in CLIP_benchmark's files and is left out of MTEB's.
var harnessNames = map[string]struct{ clipBenchmark, mteb string }{
	"accuracy":                 {"acc", "text_acc"},
	"text score":               {"text_score", "text_acc"},
	"image score":              {"image_score", "image_acc"},
	"group score":              {"group_score", "accuracy"},
	"top-1":                    {"acc1", ""},
	"top-5":                    {"acc5", ""},
	"top-1, mean over classes": {"mean_per_class_recall", ""},
	"text to image R@1":        {"image_retrieval_recall@1", "cv_recall_at_1"},
	"text to image R@5":        {"image_retrieval_recall@5", "cv_recall_at_5"},
	"text to image R@10":       {"image_retrieval_recall@10", "cv_recall_at_10"},
	"image to text R@1":        {"text_retrieval_recall@1", "cv_recall_at_1"},
	"image to text R@5":        {"text_retrieval_recall@5", "cv_recall_at_5"},
	"image to text R@10":       {"text_retrieval_recall@10", "cv_recall_at_10"},
	"text to image nDCG@10":    {"image_retrieval_ndcg@10", "ndcg_at_10"},
	"image to text nDCG@10":    {"text_retrieval_ndcg@10", "ndcg_at_10"},
}

// clipBenchmarkResult is the JSON that clip_benchmark/cli.py dumps.
type clipBenchmarkResult struct {
	Dataset    string            `json:"dataset"`
	Model      string            `json:"model"`
	Pretrained string            `json:"pretrained"`
	Task       string            `json:"task"`
	Metrics    map[string]Number `json:"metrics"`
	Language   string            `json:"language"`
}

// mtebResult is the JSON that TaskResult.to_disk of MTEB writes (mteb/results/task_result.py). Unknown values
// are null.
type mtebResult struct {
	Revision string                      `json:"dataset_revision"`
	Task     string                      `json:"task_name"`
	Version  *string                     `json:"mteb_version"`
	Scores   map[string][]map[string]any `json:"scores"`
	Time     *float64                    `json:"evaluation_time"`
	CO2      *float64                    `json:"kg_co2_emissions"`
}

// HarnessFiles returns the results of a model in the forms of CLIP_benchmark, one file per benchmark, and of
// MTEB, one file per task that MTEB has.
func HarnessFiles(model string, results []*Result) (files []ResultFile, err error) {
	name := strings.TrimSuffix(strings.ReplaceAll(model, "\\", "/"), ".safetensors")
	short, slug := path.Base(name), strings.NewReplacer("/", "__", " ", "_").Replace(strings.TrimLeft(name, "./"))
	tasks, order := map[string]*mtebResult{}, []string{}
	for _, r := range results {
		kind, file, _ := strings.Cut(r.Name, " ")
		t := findHarnessTask(kind, file)
		metrics := map[string]Number{}
		for i := range r.Measures {
			m := &r.Measures[i]
			name := harnessNames[m.Name].clipBenchmark
			if name == "" {
				name = strings.NewReplacer(" ", "_", "-", "_").Replace(m.Name)
			}
			metrics[name] = Number(m.Value())
		}
		dataset := strings.ReplaceAll(t.dataset, "*", strings.ReplaceAll(file, " ", "_"))
		if t.kind == "" || t.kind == "aro" || t.kind == "aro-order" {
			dataset = kind + "/" + dataset
		}
		data, err := encodeResult(clipBenchmarkResult{dataset, short, model, t.task, metrics, "en"})
		if err != nil {
			return nil, err
		}
		files = append(files, ResultFile{path.Join("clip_benchmark", strings.ReplaceAll(dataset, "/", "_")+"_"+slug+"_"+t.task+".json"), data})
		for name, scores := range mtebScores(r, t) {
			if tasks[name] == nil {
				tasks[name] = &mtebResult{Revision: "local", Task: name, Scores: map[string][]map[string]any{"test": nil}}
				order = append(order, name)
			}
			scores["hf_subset"], scores["languages"] = "default", []string{"eng-Latn"}
			if t.kind == "sugarcrepe" { // all of its files are one task of MTEB
				scores["hf_subset"] = file
			}
			tasks[name].Scores["test"] = append(tasks[name].Scores["test"], scores)
		}
	}
	for _, name := range order {
		data, err := encodeResult(tasks[name])
		if err != nil {
			return nil, err
		}
		files = append(files, ResultFile{path.Join("mteb", slug, name+".json"), data})
	}
	return files, nil
}

func findHarnessTask(kind, file string) harnessTask {
	for _, t := range harnessTasks {
		if t.kind == "" || t.kind == kind && strings.Contains(file, t.part) {
			return t
		}
	}
	return harnessTask{}
}

// mtebScores returns the scores of a result by task of MTEB. Retrieval is two tasks. A main score that was not
// measured is null.
func mtebScores(r *Result, t harnessTask) map[string]map[string]any {
	if t.mteb == "" {
		return nil
	}
	tasks := map[string]map[string]any{}
	for i := range r.Measures {
		m := &r.Measures[i]
		name, score := t.mteb, harnessNames[m.Name].mteb
		switch {
		case strings.HasPrefix(m.Name, "image to text "):
			name += "I2TRetrieval"
		case strings.HasPrefix(m.Name, "text to image "):
			name += "T2IRetrieval"
		}
		if score == "" || math.IsNaN(m.Value()) {
			continue
		}
		if tasks[name] == nil {
			tasks[name] = map[string]any{"main_score": nil}
		}
		tasks[name][score] = Number(m.Value())
		if m.Name == "accuracy" || m.Name == "group score" || strings.HasSuffix(m.Name, ndcgSuffix) {
			tasks[name]["main_score"] = Number(m.Value())
		}
	}
	return tasks
}

func encodeResult(result any) ([]byte, error) {
	data, err := json.MarshalIndent(result, "", "  ")
	return append(data, '\n'), err
}
