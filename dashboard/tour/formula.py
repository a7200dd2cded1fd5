"""Formulas with every symbol explained; a symbol that is a setting leads to its control on Align."""

from __future__ import annotations

import streamlit as st

from dashboard.text import PARAMETERS
from dashboard.text import learn as words
from dashboard.text.learn import Step

ICON = ":material/tune:"


def formula(step: Step) -> str | None:
    """The step's formulas; the setting whose symbol was pressed, if one was."""
    pressed = None
    with st.container(border=True, key="formula"):
        st.html(f"<h2 class='group'>{words.FORMULA}</h2>")
        left, right = st.columns(2, gap="medium")
        with left:
            for latex, note in step.formulas:
                st.caption(note[0].upper() + note[1:] + ":")
                st.latex(latex)
        with right:
            for k, symbol in enumerate(step.symbols):
                with st.container(horizontal=True, wrap=False, vertical_alignment="center", key=f"symbol_{k}"):
                    if symbol.parameter:
                        key = f"symbol_button_{symbol.parameter}_{k}"
                        word = words.short(PARAMETERS[symbol.parameter].label)
                        named = word.lower() in symbol.latex.lower()  # a symbol that is a word needs no other
                        label = word if named else f"${symbol.latex}$ {word}"
                        if st.button(label, key=key, icon=ICON, help=words.SET_IT):
                            pressed = symbol.parameter
                    else:
                        st.markdown(f"${symbol.latex}$")
                    st.markdown(symbol.words)
            if any(symbol.parameter for symbol in step.symbols):
                st.caption(words.ON_ALIGN.format(icon=ICON))
    return pressed
