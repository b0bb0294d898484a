"""capgraph on Ray: capgraph-ray run pipeline.yaml --address auto. Ray places the tasks, adds nodes if its autoscaler is on, and
restarts the tasks of a lost node on another."""
import sys

import ray

from capgraph import tasks


def run(recipe=None, sets=(), parts=tasks.PARTS, cpus=4):
    """Runs all passes of a recipe on the cluster that ray.init connected to. cpus is the number of processors of a task."""
    plan = tasks.plan(recipe, sets, parts)
    attempt = ray.remote(num_cpus=cpus, max_retries=-1)(tasks.attempt)  # a task that dies with its node is no failed attempt
    tasks.drive(plan, lambda *task: attempt.remote(*task, workers=cpus).future())


def main():
    """The command capgraph-ray."""
    args = tasks.command("capgraph-ray", __doc__, [
        ("--address", {"help": "the cluster, as ray.init takes it (default: what RAY_ADDRESS says, or a cluster on this machine)"}),
        ("--cpus", {"metavar": "N", "type": int, "default": 4, "help": "processors of a task (default 4)"})])
    try:
        ray.init(address=args.address, log_to_driver=False)
        run(args.recipe, args.set, args.parts, args.cpus)
    except tasks.TaskError as error:
        print(f"capgraph-ray: {error}", file=sys.stderr)
        return error.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
