"""Any value as strict JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def strict_json(value: Any, indent: int | None = None, ascii_only: bool = False) -> str:
    """JSON that any parser reads: NumPy values as plain ones, null in place of NaN and infinity."""
    return json.dumps(plain(value), allow_nan=False, ensure_ascii=ascii_only, indent=indent)


def plain(value: Any) -> Any:
    """The same value in JSON's own types."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
