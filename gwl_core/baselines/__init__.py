"""Other people's alignment methods behind one protocol: one file per system, one registry.

To add a system, write `gwl_core/baselines/<system>.py` with a `Baseline` and list it in `BASELINES`; what it needs is
imported inside its `steps`.
"""

from __future__ import annotations

from collections.abc import Mapping

from gwl_core.baselines.faq import FAQ, FAQ_CONVEX
from gwl_core.baselines.pot_gw import CONDITIONAL_GRADIENT, ENTROPIC, PROXIMAL
from gwl_core.baselines.protocol import Alignment, Baseline, Outcome, Progress, align

BASELINES: Mapping[str, Baseline] = {
    baseline.key: baseline for baseline in (FAQ, FAQ_CONVEX, PROXIMAL, ENTROPIC, CONDITIONAL_GRADIENT)
}

__all__ = ["BASELINES", "Alignment", "Baseline", "Outcome", "Progress", "align"]
