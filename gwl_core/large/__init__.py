"""Graphs beyond what a dense coupling can hold: a sparse coupling over a few candidates a node.

`plan` says whether a run takes this way and what it will cost; `classes` matches classes of nodes that look alike and
finds the first candidates among them; `gains` and `scaling` are one iteration on the support; `rounding` ends with a
one-to-one matching; `solver` knows the order; `finish` measures.
"""
