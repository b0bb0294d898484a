"""Ray's driver on a cluster of two nodes, of which one is lost."""
import os
from concurrent.futures import ThreadPoolExecutor

import engines
import pytest

os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")  # of a busy machine
ray = pytest.importorskip("ray", reason="Ray is not installed: .ci/run engines tests its driver")
from ray.cluster_utils import Cluster  # noqa: E402

from capgraph import ray as driver, tasks  # noqa: E402


@pytest.fixture
def cluster():
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False, "object_store_memory": 1 << 27})
    yield made
    ray.shutdown()
    made.shutdown()


def test_a_node_is_lost_and_another_comes(cluster, single, monkeypatch, capsys):
    """The second node goes in the middle of parse, a third comes in its place; the bytes are those of one process."""
    folder, whole = single
    monkeypatch.chdir(folder)
    lost = cluster.add_node(num_cpus=1, object_store_memory=1 << 27)
    ray.init(address=cluster.address, log_to_driver=False)
    with ThreadPoolExecutor() as pool:
        running = pool.submit(driver.run, "pipeline.yaml", parts=6, cpus=1)
        engines.wait_for_shard(folder / "out", running)
        cluster.remove_node(lost, allow_graceful=False)
        assert engines.finished(folder / "out", "parse") < engines.SHARDS, "the node was lost too late"
        cluster.add_node(num_cpus=1, object_store_memory=1 << 27)
        running.result()
    assert engines.hashes(folder / "out") == whole
    assert "texts    6 of 6 tasks" in capsys.readouterr().err


def test_a_mistake_ends_the_run(cluster, single, monkeypatch):
    folder, _ = single
    monkeypatch.chdir(folder)
    ray.init(address=cluster.address, log_to_driver=False)
    driver.run("pipeline.yaml", sets=["output.dir=other"], parts=2, cpus=1)
    with pytest.raises(tasks.TaskError, match="seed") as error:
        driver.run("pipeline.yaml", sets=["output.dir=other", "seed=8"], parts=2, cpus=1)
    assert error.value.code == tasks.USAGE
