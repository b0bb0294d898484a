"""Prints, as JSON, the scalars that TensorBoard reads in a folder: {tag: [[step, value], ...]}."""
import json
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

accumulator = EventAccumulator(sys.argv[1])
accumulator.Reload()
tags = accumulator.Tags()["scalars"]
print(json.dumps({tag: [[e.step, e.value] for e in accumulator.Scalars(tag)] for tag in tags}))
