"""The pages, each of which reads like a table of contents."""
