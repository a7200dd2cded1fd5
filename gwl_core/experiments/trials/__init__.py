"""The trials of the experiments: what a worker runs. Kept apart from plans and reports, whose changes lose no trial."""
