"""Measurements that take too long for the tests: accuracy, speed, growth, and what a tick of the page costs.

One module per question. Each has `tables(quick)`, which yields the tables it fills; `python -m benchmarks` runs them.
"""
