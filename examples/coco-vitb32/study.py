#!/usr/bin/env python3
"""From COCO and a CLIP checkpoint to one table of objectives, by the program capgraph.

    python3 examples/coco-vitb32/study.py --coco coco --init ViT-B-32.safetensors --config ViT-B-32-quickgelu --benchmarks benchmarks

--coco has annotations/captions_train2017.json, annotations/captions_val2017.json, train2017/ and val2017/, as COCO is published. The
trainings are in arms.tsv, the benchmarks and where their files lie in benchmarks.tsv, published figures in published.tsv. Everything
goes to --out. It prints first how long it will take, as measured on this machine. Stopped, the same command continues; what is done
is not done again. A benchmark whose files are missing is left out and named. Needs Python 3.9 and nothing else.
"""
import argparse
import glob
import json
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# The 97.5 % quantile of Student's t, by the number of seeds.
T = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
CHECKPOINTS = 8  # models' worth of disk of a training: a checkpoint, the next one, and what it ends with
SAMPLE = 1000  # captions of which the time of all is estimated


def fail(message):
    sys.exit(f"study: {message}")


def read_table(name, columns):
    """Reads a .tsv of this folder: a list of rows with that many columns."""
    rows = []
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#") or not line.strip():
                continue
            row = line.rstrip("\n").split("\t")
            if len(row) < columns:
                row += [""] * (columns - len(row))
            if len(row) > columns:
                fail(f"{name}, line {number}: {len(row)} columns, not {columns}")
            rows.append(row)
    return rows


def write_file(path, text):
    """Writes a file whole or not at all."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".part", path)


def read_json(path):
    """Returns what a JSON file has, or None if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None
    except ValueError as e:
        fail(f"{path}: {e}: remove it")


def hours(seconds):
    return f"{seconds / 3600:.1f} h" if seconds > 3600 else f"{seconds / 60:.1f} min"


class Study:
    def __init__(self, options):
        self.o = options
        self.arms = {name: [s for s in settings.split(";") if s] for name, _, settings in read_table("arms.tsv", 3)}
        chosen = options.arms.split(",") if options.arms else list(self.arms)
        for name in chosen:
            if name not in self.arms:
                fail(f"--arms: {name!r} is not in arms.tsv: {', '.join(self.arms)}")
        self.chosen = chosen
        self.captions = os.path.join(options.coco, "annotations", "captions_train2017.json")
        for path in (self.captions, os.path.join(options.coco, "annotations", "captions_val2017.json"),
                     os.path.join(options.coco, "train2017"), os.path.join(options.coco, "val2017"), options.init, options.benchmarks):
            if path and not os.path.exists(path):
                fail(f"{path} is missing: see --help for what it should have")
        self.benchmarks, self.missing = self.find_benchmarks()

    def path(self, *names):
        return os.path.join(self.o.out, *names)

    def call(self, *args, capture=False):
        """Runs capgraph; a stop waits until it has written its checkpoint."""
        command = [self.o.capgraph, *args]
        try:
            p = subprocess.Popen(command, stdout=subprocess.PIPE if capture else None, text=True, encoding="utf-8")
        except OSError as e:
            fail(f"{self.o.capgraph}: {e.strerror}: name the program with --capgraph")
        try:
            out, _ = p.communicate()
        except KeyboardInterrupt:
            p.send_signal(signal.SIGTERM)
            p.wait()
            sys.exit("study: stopped: the same command continues")
        if p.returncode != 0:
            fail(f"{' '.join(command)} ended with exit code {p.returncode}: mend what it says; the same command continues")
        return out

    # Benchmarks

    def find_benchmarks(self):
        """Returns the benchmarks that are there, as (task, files), and the columns that are not."""
        found, missing = {}, []
        for _, column, _, task in read_table("benchmarks.tsv", 4):
            files = self.find_files(task)
            if files:
                found[task] = files
            else:
                missing.append(column)
        return found, missing

    def find_files(self, task):
        """Returns the tasks that a row of benchmarks.tsv comes to, one a file."""
        kind, rest = task.split("=", 1)
        name, *settings = rest.split(",")
        place = lambda path: path.format(coco=self.o.coco) if "{coco}" in path else os.path.join(self.o.benchmarks or "", path)
        if not self.o.benchmarks and "{coco}" not in name:
            return []
        files = sorted(glob.glob(place(name)))
        if kind == "zeroshot" and not all(os.path.exists(place(s.partition("=")[2])) for s in settings):
            return []
        settings = [s if s.startswith("split=") else "{}={}".format(s.partition("=")[0], place(s.partition("=")[2])) for s in settings]
        return [",".join([f"{kind}={f}", *settings]) for f in files]

    def result_file(self, name, task):
        return self.path("results", name, re.sub(r"[^a-z0-9+]+", "-", task.split(",")[0].lower()) + ".json")

    def measure(self, name, model):
        """Measures a model on what it was not measured on yet."""
        for task, files in self.benchmarks.items():
            path = self.result_file(name, task)
            had = read_json(path)
            if had and had["tasks"] == files:
                continue
            print(f"{name}: {task.split(',')[0]}", flush=True)
            began = time.monotonic()
            config = ["--config", self.o.config] if self.o.config and name == "none" else []
            named = [word for f in files for word in ("--benchmark", f)]
            out = self.call("eval", "clip", model, *config, *named, "--json", "--device", self.o.device, capture=True)
            write_file(path, json.dumps({"task": task, "tasks": files, "seconds": time.monotonic() - began, **json.loads(out)}, indent=1))

    # Texts

    def make_texts(self):
        """Makes the texts of the captions of COCO, and says first how long that takes."""
        texts, done = self.path("texts"), self.path("texts.json")
        run = ("run", os.path.join(HERE, "pipeline.yaml"))
        if read_json(done):
            return
        with open(self.captions, encoding="utf-8") as file:
            captions = json.load(file)
        count = len(captions["annotations"])
        if count > 10 * SAMPLE and not os.path.exists(texts):
            captions["annotations"] = captions["annotations"][:SAMPLE]
            named = {a["image_id"] for a in captions["annotations"]}
            captions["images"] = [i for i in captions["images"] if i["id"] in named]
            sample, folder = self.path("timing", "captions.json"), self.path("timing", "texts")
            write_file(sample, json.dumps(captions))
            shutil.rmtree(folder, ignore_errors=True)
            began = time.monotonic()
            self.call(*run, "--set", f"source.paths={sample}", "--set", f"output.dir={folder}", "--progress", "none", capture=True)
            print(f"texts of {count:,} captions: {hours((time.monotonic() - began) * count / SAMPLE)} at most", flush=True)
            shutil.rmtree(folder)
        self.call(*run, "--set", f"source.paths={self.captions}", "--set", f"output.dir={texts}")
        write_file(done, json.dumps({"captions": count}))

    # Trainings

    def settings(self, arm, seed, steps):
        """Returns the settings of a training."""
        length = [f"steps={steps}", "epochs=0"] if steps else [f"epochs={self.o.epochs}"]
        config = [f"model.config={self.o.config}"] if self.o.config else []
        return [f"seed={seed}", f"device={self.o.device}", f"data.corpora.texts={self.path('texts')}",
                f"data.corpora.images.paths={os.path.join(self.o.coco, 'train2017')}", f"model.init={self.o.init}", *config,
                f"batch.size={self.o.batch}", *length, *(s for s in self.arms[arm] if not s.startswith("steps=")), *self.o.set]

    def train(self, out, settings, *more, capture=False):
        words = [word for s in [*settings, f"output.dir={out}"] for word in ("--set", s)]
        return self.call("train", os.path.join(HERE, "train.yaml"), *words, *more, capture=capture)

    def time_steps(self, arm):
        """Returns what a step of an arm takes: its seconds, and the images of an epoch. It is measured once."""
        settings, path = self.settings(arm, 1, None), self.path("timing", arm + ".json")
        had = read_json(path)
        if had and had["settings"] == settings:
            return had
        print(f"{arm}: measuring a step", flush=True)
        for steps in (4, 24):  # of a fast device, 24: sizes are new in its first steps
            out = self.path("timing", arm)
            shutil.rmtree(out, ignore_errors=True)
            said = self.train(out, self.settings(arm, 1, steps), "--set", "output.checkpoint_every=0", "--set", "optimiser.warmup=0", "--progress", "none", capture=True)
            model = os.path.getsize(os.path.join(out, "model.safetensors"))
            with open(os.path.join(out, "metrics.jsonl"), encoding="utf-8") as file:
                lines = [line for line in map(json.loads, file) if "step_images_per_second" in line]
            rates = [(self.o.batch / line["step_images_per_second"], line["data_wait_seconds"]) for line in lines[len(lines) // 2:]]
            computed, waited = (statistics.median(r[i] for r in rates) for i in (0, 1))
            shutil.rmtree(out)
            if computed + waited > 1:
                break
        images = re.search(r"^([\d,]+) images, .* on (\S+)", said, re.MULTILINE)
        had = {"settings": settings, "seconds": computed + waited, "waited": waited, "images": int(images[1].replace(",", "")), "device": images[2], "bytes": model}
        write_file(path, json.dumps(had, indent=1))
        return had

    def steps(self, arm):
        """Returns the steps of an arm if they are not those of its epochs, else None."""
        as_long = [s.removeprefix("steps=") for s in self.arms[arm] if s.startswith("steps=")]
        if not as_long:
            return None
        own, other = self.time_steps(arm), self.time_steps(as_long[0])
        return max(1, round(self.epoch_steps(own) * other["seconds"] / own["seconds"]))

    def epoch_steps(self, timed):
        return self.o.epochs * max(1, timed["images"] // self.o.batch)

    def plan(self):
        """Prints how long the trainings that are not done will take, and the disk they need."""
        total, disk, timed = 0, 0, None
        print(f"\n{'training':<20}{'s/step':>8}{'steps':>9}{'seeds':>7}{'time':>10}")
        for arm in self.chosen:
            if arm == "none":
                continue
            timed = self.time_steps(arm)
            steps = self.steps(arm) or self.epoch_steps(timed)
            left = sum(not read_json(self.path(f"{arm}-{seed}", "done.json")) for seed in range(1, self.o.seeds + 1))
            total += left * steps * timed["seconds"]
            disk += left * timed["bytes"]
            print(f"{arm:<20}{timed['seconds']:>8.3f}{steps:>9}{left:>7}{hours(left * steps * timed['seconds']):>10}")
            if timed["waited"] > 0.1 * timed["seconds"]:
                print(f"  {timed['waited'] / timed['seconds']:.0%} of it waits for images: more processors, smaller images, or --set data.keep_decoded=GB")
        if timed:
            disk += CHECKPOINTS * timed["bytes"] if disk else 0
            free = shutil.disk_usage(self.o.out).free
            print(f"together {hours(total)} on {timed['device']}, beside evaluations; {len(self.benchmarks)} benchmarks; "
                  f"{disk / 1e9:.1f} GB of disk, of which {free / 1e9:.1f} are free", flush=True)
            if disk > free and not self.o.plan:
                fail(f"{self.o.out} has too little room: free some, or take another --out, fewer --seeds or --arms")
        if self.missing:
            print("left out, as their files are not there (benchmarks.tsv): " + ", ".join(self.missing), flush=True)

    def train_arm(self, arm, seed):
        out = self.path(f"{arm}-{seed}")
        settings, done = self.settings(arm, seed, self.steps(arm)), os.path.join(out, "done.json")
        had = read_json(done)
        if had and had["settings"] != settings:
            changed = sorted(set(had["settings"]) ^ set(settings))
            fail(f"{out} was trained with other settings ({', '.join(changed)}): take another --out, or remove the folder")
        if not had:
            print(f"\n{arm}, seed {seed}", flush=True)
            self.train(out, settings)
            write_file(done, json.dumps({"settings": settings}, indent=1))
        for name in ("checkpoints", "open_clip"):  # the evaluation reads model.safetensors
            shutil.rmtree(os.path.join(out, name), ignore_errors=True)
        return out

    # The table

    def figure(self, name, task, metric):
        """Returns a figure of a model in per cent, averaged over files, or None; and the images that are missing."""
        had = read_json(self.result_file(name, task))
        values = [f for f in (had or {}).get("figures", []) if f["metric"] == metric]
        left = sum(f["skipped"] for f in values)
        if not values or any(f["values"][0]["value"] is None for f in values):
            return None, left
        return 100 * statistics.mean(f["values"][0]["value"] for f in values), left

    def cells(self, arm, task, metric):
        names = ["none"] if arm == "none" else [f"{arm}-{seed}" for seed in range(1, self.o.seeds + 1)]
        values = [self.figure(n, task, metric) for n in names]
        return [v for v, _ in values if v is not None], max((left for _, left in values), default=0)

    def cell(self, values, plain):
        """Writes a mean, its deviation, and a star if it differs from plain tuning."""
        if not values:
            return ""
        text = f"{statistics.mean(values):.1f}"
        if len(values) > 1:
            text += f" ± {statistics.stdev(values):.1f}"
            if len(plain) == len(values) and plain != values and len(values) in T:
                differences = [a - b for a, b in zip(values, plain)]
                if abs(statistics.mean(differences)) > T[len(values)] * statistics.stdev(differences) / math.sqrt(len(values)):
                    text += "\\*"
        return text

    def write_table(self):
        rows = [row for row in read_table("benchmarks.tsv", 4) if row[3] in self.benchmarks]
        published, sources, out = read_table("published.tsv", 4), [], []
        what = {name: text for name, text, _ in read_table("arms.tsv", 3)}
        for title in dict.fromkeys(row[0] for row in rows):
            columns = [row[1:] for row in rows if row[0] == title]
            lines = [["", *(c[0] for c in columns)], ["---"] + ["--:"] * len(columns)]
            left_out = {}
            for arm in self.chosen:
                line = [f"{arm}: {what[arm]}"]
                for column, metric, task in columns:
                    values, left = self.cells(arm, task, metric)
                    plain = [] if arm in ("none", "clip") else self.cells("clip", task, metric)[0]
                    line.append(self.cell(values, plain))
                    if left:
                        left_out[column] = left
                lines.append(line)
            for model in dict.fromkeys(p[0] for p in published):
                line = [f"*{model}, published*"]
                for column, _, _ in columns:
                    found = [p for p in published if p[:2] == [model, column]]
                    if found and found[0][3] not in sources:
                        sources.append(found[0][3])
                    line.append(f"{found[0][2]} [{sources.index(found[0][3]) + 1}]" if found else "")
                if any(line[1:]):
                    lines.append(line)
            out += [f"## {title}", "", *("| " + " | ".join(line) + " |" for line in lines), ""]
            out += [f"{column}: {left} images are missing or broken, whose cases were left out.\n" for column, left in left_out.items()]
        head = (f"Per cent; mean and standard deviation of those of {self.o.seeds} seeds that are done, {self.o.epochs} epochs of {self.o.batch} images a step, from "
                f"{os.path.basename(self.o.init)}. \\* the 95 % interval of the paired difference from plain tuning (clip) is on one side of 0.")
        out = ["# Objectives on COCO", "", head, "", *out, *(f"[{i}] {s}  " for i, s in enumerate(sources, 1))]
        if self.missing:
            out += ["", "Not measured: " + ", ".join(self.missing) + "."]
        write_file(self.path("table.md"), "\n".join(out) + "\n")
        print(f"\n{self.path('table.md')}\n\n" + "\n".join(out), flush=True)

    def run(self):
        if not self.o.table:
            self.make_texts()
            self.plan()
            if self.o.plan:
                return
            if "none" in self.chosen:
                self.measure("none", self.o.init)
            for seed in range(1, self.o.seeds + 1):  # a whole table after each seed
                for arm in self.chosen:
                    if arm != "none":
                        self.measure(f"{arm}-{seed}", self.train_arm(arm, seed))
                if seed < self.o.seeds:
                    self.write_table()
        self.write_table()


def parse_options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--coco", required=True, help="the folder of COCO")
    p.add_argument("--init", required=True, help="the checkpoint: a safetensors file, or a folder of open_clip or Hugging Face")
    p.add_argument("--config", default="", help="its model, if it does not say it: ViT-B-32-quickgelu for OpenAI's weights")
    p.add_argument("--benchmarks", default="", help="the folder of the benchmarks of benchmarks.tsv; without it, retrieval on COCO alone")
    p.add_argument("--out", default="out/coco-vitb32", help="the folder of everything that is made")
    p.add_argument("--seeds", type=int, default=3)
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--arms", default="", help="trainings of arms.tsv, separated by commas; without it, all")
    p.add_argument("--device", default="auto", help="cpu, cuda:0; auto: a GPU where there is one")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of all trainings; may be repeated")
    p.add_argument("--capgraph", default="capgraph", help="the program")
    p.add_argument("--plan", action="store_true", help="make the texts, measure a step of each training, print how long all takes, and end")
    p.add_argument("--table", action="store_true", help="write the table of what is done, and end")
    options = p.parse_args()
    for name in ("seeds", "epochs", "batch"):
        if getattr(options, name) < 1:
            p.error(f"--{name} must be 1 or more")
    return options


def stop(*_):
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop)
    try:
        Study(parse_options()).run()
    except KeyboardInterrupt:
        sys.exit("study: stopped: the same command continues")
