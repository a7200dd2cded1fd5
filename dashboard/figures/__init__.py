"""Pure functions from arrays to figures: no Streamlit, and no plotly either, whose import takes half a second.

A figure is a plain dict {"data": [...], "layout": {...}} that holds NumPy arrays; `dashboard.live_plot` shows it, and
`html.figure_html` (or `plotly.graph_objects.Figure`) turns it into a file.
"""
