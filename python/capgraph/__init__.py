"""capgraph on engines that schedule: ray and spark run the tasks that 'capgraph plan --tasks' prints (docs/scale.md). What runs a task is
the capgraph of the wheel, which has to be on every machine."""
