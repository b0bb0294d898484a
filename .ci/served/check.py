"""Runs capgraph against a real vLLM: python check.py VENV CAPGRAPH MODEL WORK. Prints what it saw; the first thing that is wrong ends it."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pyarrow.parquet as pq

venv, capgraph, model, work = (pathlib.Path(a).resolve() for a in sys.argv[1:])
CAPTIONS, FEW = 500, 40  # FEW for whole negatives, which take many requests a caption
# Weights at random hardly ever end a string, so what ends strings and lists is made likelier.
vocabulary = json.loads((model / "tokenizer.json").read_text())["model"]["vocab"]
bias = {vocabulary[token]: 8 for token in '"]}'}
SAMPLING = "parse.sampling=" + json.dumps({"temperature": 1, "logit_bias": bias})
LLM = [SAMPLING, "parse.model=tiny", "parse.max_tokens=128", "parse.unusable_share=1", "parse.failure_budget=100000", "parse.max_in_flight=64", "parse.timeout=60s"]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


port = free_port()
URL = f"http://127.0.0.1:{port}"


def get(path):
    with urllib.request.urlopen(URL + path, timeout=10) as reply:
        return reply.read().decode()


def serve():
    """Starts vLLM and waits until it is healthy."""
    command = [venv / "bin/vllm", "serve", model, "--served-model-name", "tiny", "--host", "127.0.0.1", "--port", str(port), "--max-model-len", "4096", "--enforce-eager", "--enable-prefix-caching", "--max-num-seqs", "32",
               "--structured-outputs-config", '{"backend": "xgrammar", "disable_any_whitespace": true}']
    environment = os.environ | {"VLLM_CPU_KVCACHE_SPACE": "1", "HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "PATH": f"{venv / 'bin'}:{os.environ['PATH']}"}
    log = open(work / "vllm.log", "ab")
    process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
    began = time.time()
    while time.time() - began < 300:
        if process.poll() is not None:
            raise SystemExit(f"vLLM ended with {process.returncode}:\n" + (work / "vllm.log").read_text(errors="replace")[-3000:])
        try:
            get("/health")
            print(f"vLLM is up after {time.time() - began:.0f} s", flush=True)
            return process
        except OSError:
            time.sleep(1)
    raise SystemExit("vLLM is not up after 300 s")


def stop(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def start(out, *settings, endpoints=f"[{URL}/v1]"):
    args = ["source.format=cc12m", f"source.paths={work / 'captions.tsv'}", f"output.dir={work / out}", f"parse.cache={work / 'replies'}", f"parse.endpoints={endpoints}", *LLM, *settings]
    return subprocess.Popen([capgraph, "run", "--progress", "none", *(a for s in args for a in ("--set", s))], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def finish(process, name):
    _, err = process.communicate(timeout=900)
    if process.returncode:
        raise SystemExit(f"{name}: exit code {process.returncode}: {err[-3000:]}")


def rows(out, captions=CAPTIONS):
    """The graphs of a run, after a check that every caption became one or a reject."""
    graphs = pq.read_table(work / out / "graphs", columns=["key", "text", "parser", "confidence", "graph"]).to_pylist()
    rejects = subprocess.run([capgraph, "rejects", work / out, "--json", "-n", "0"], capture_output=True, text=True, check=True).stdout.splitlines()
    subprocess.run([capgraph, "verify", work / out], check=True, capture_output=True)
    print(f"{out}: {len(graphs)} graphs, {len(rejects)} rejects", flush=True)
    assert len(graphs) + len(rejects) == captions, "rows are missing without a reject"
    return graphs


def main():
    lines = pathlib.Path("testdata/cc12m.tsv").read_text(errors="replace").splitlines()
    sample = [text for _, tab, text in (line.partition("\t") for line in lines) if tab and text.isascii()]
    texts = (sample + [f"{text} beside {k} trees" for k in range(2, 9) for text in sample])[:CAPTIONS]
    for name, count in ("captions.tsv", CAPTIONS), ("few.tsv", FEW):
        (work / name).write_text("".join(f"https://images.example/{i}.jpg\t{text}\n" for i, text in enumerate(texts[:count])))
    server = serve()
    try:
        said = subprocess.run([capgraph, "llm", "check", f"{URL}/v1", "--set", "parse.max_tokens=128", "--set", SAMPLING], capture_output=True, text=True).stdout
        print(said, flush=True)
        assert "JSON schemas       yes" in said and "log-probabilities  yes" in said and "model              tiny" in said, said

        run = start("llm", "parse.parser=llm")
        time.sleep(4)
        assert run.poll() is None, "the run ended before the server could be killed: " + run.stderr.read()
        stop(server)
        print("vLLM was killed while the run went on", flush=True)
        time.sleep(5)
        server = serve()
        finish(run, "a run whose server was killed and started again")
        graphs = rows("llm")
        parsers = {g["parser"].split(" ")[0] for g in graphs}
        print(f"llm: parsers {sorted(parsers)}, {sum(g['parser'].startswith('llmparse') for g in graphs)} graphs of the model", flush=True)

        finish(start("again", "parse.parser=llm", endpoints="[]"), "the same run from the cache")
        assert rows("again") == graphs, "the cache gives other graphs"

        finish(start("hybrid", "parse.parser=hybrid", "parse.threshold=0.4"), "hybrid")
        assert any(g["parser"].startswith("ruleparse") for g in rows("hybrid"))

        finish(start("whole", f"source.paths={work / 'few.tsv'}", "parse.parser=rules", "negatives.replacements=llm"), "whole negatives")
        rows("whole", FEW)
        hits = {line.split("{")[0]: float(line.rsplit(" ", 1)[1]) for line in get("/metrics").splitlines() if line.startswith(("vllm:prefix_cache_hits_total", "vllm:prefix_cache_queries_total"))}
        print(f"prefix cache: {hits}", flush=True)
        assert hits.get("vllm:prefix_cache_hits_total", 0) > 0, "no request found its prefix in the cache"
    finally:
        if server.poll() is None:
            stop(server)


main()
