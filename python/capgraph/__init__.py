"""Run capgraph on Ray and Spark: they run the tasks that 'capgraph plan --tasks' prints (docs/scale.md). Each machine needs the wheel,
whose capgraph binary runs the tasks."""
