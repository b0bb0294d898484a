"""capgraph on Spark: python -m capgraph.spark run pipeline.yaml, or run(spark, "pipeline.yaml") in a job. Spark places the tasks, adds
executors if dynamic allocation is on, and restarts the tasks of a lost executor on another."""
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor

from pyspark.sql import SparkSession

from capgraph import tasks


def run(spark, recipe=None, sets=(), parts=tasks.PARTS):
    """Runs all passes of a recipe in a session. spark.task.cpus sets the processors of a task."""
    context, group = spark.sparkContext, f"capgraph {uuid.uuid4()}"
    workers = int(context.getConf().get("spark.task.cpus", "1"))

    def job(*task):  # of one Spark task, so that one that cannot succeed ends the run while others wait
        context.setJobGroup(group, f"capgraph {' '.join(task[2][:3])}, task {task[3]}", interruptOnCancel=True)
        return context.parallelize([0], 1).map(lambda _: tasks.attempt(*task, workers=workers)).collect()[0]

    plan = tasks.plan(recipe, sets, parts)
    with ThreadPoolExecutor(min(parts, 1000)) as pool:
        try:
            tasks.drive(plan, lambda *task: pool.submit(job, *task))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            context.cancelJobGroup(group)


def main():
    """The command python -m capgraph.spark."""
    args = tasks.command("python -m capgraph.spark", __doc__)
    try:
        run(SparkSession.builder.appName("capgraph").getOrCreate(), args.recipe, args.set, args.parts)
    except tasks.TaskError as error:
        print(f"capgraph.spark: {error}", file=sys.stderr)
        return error.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
