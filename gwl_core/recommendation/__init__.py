"""Procedure recommendation (section "MIMIC-III" of the paper): graphs of codes, systems, and what is measured."""
