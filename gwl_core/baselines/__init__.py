"""Other people's alignment methods behind one protocol: one file per system, one registry.

To add a system, write `gwl_core/baselines/<system>.py` with a `Baseline` and list it in `BASELINES`; what it needs is
imported inside its `steps`.
"""

from __future__ import annotations

from collections.abc import Mapping

from gwl_core.baselines.external import configured
from gwl_core.baselines.faq import FAQ, FAQ_CONVEX
from gwl_core.baselines.gaa import GAA
from gwl_core.baselines.graal import GRAAL, H_GRAAL
from gwl_core.baselines.hubalign import HUBALIGN
from gwl_core.baselines.isorank import ISORANK
from gwl_core.baselines.lrsa import LRSA
from gwl_core.baselines.magna import MAGNA
from gwl_core.baselines.mi_graal import MI_GRAAL
from gwl_core.baselines.netal import NETAL
from gwl_core.baselines.pot_gw import CONDITIONAL_GRADIENT, ENTROPIC, PROXIMAL
from gwl_core.baselines.protocol import Alignment, Baseline, Outcome, Progress, align
from gwl_core.baselines.tame import TAME

_PAPER = (GAA, LRSA, TAME, GRAAL, MI_GRAAL, MAGNA, HUBALIGN, NETAL)
_BESIDE = (H_GRAAL, ISORANK, FAQ, FAQ_CONVEX, PROXIMAL, ENTROPIC, CONDITIONAL_GRADIENT)

EXTERNAL, EXTERNAL_PROBLEMS = configured()
"""Original programs that this server's operator has set up, usually none; and what is wrong with the settings file."""

BASELINES: Mapping[str, Baseline] = {baseline.key: baseline for baseline in (*_PAPER, *_BESIDE)} | EXTERNAL
"""The eight systems of the paper's table in its order, what a user would otherwise pick, and original programs."""

__all__ = ["BASELINES", "EXTERNAL", "EXTERNAL_PROBLEMS", "Alignment", "Baseline", "Outcome", "Progress", "align"]
