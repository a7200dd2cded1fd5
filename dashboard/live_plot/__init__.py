"""The chart component: a figure that is updated in place.

`component.live_plot` is the one to call; `setup` copies plotly.min.js to the static folder and needs no Streamlit.
"""
