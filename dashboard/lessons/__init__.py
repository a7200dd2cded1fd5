"""What the steps of Learn compute: small problems, worked by the functions of the core. No Streamlit here.

Modules that need torch import it, so the page imports them only once `warm` has loaded it beside the first paint.
"""
