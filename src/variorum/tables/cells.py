"""What a cell of a file may hold: printed text comes through, control characters and live formulas do not."""

from __future__ import annotations

import math
import re

# No page prints them; spreadsheets and XML refuse them. Tab and line end are text.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def text_of(value: object) -> str:
    """A cell's value as text: "yes" or "no" for a bool, "" for no value, control characters as U+FFFD."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _CONTROL.sub("\ufffd", str(value))
