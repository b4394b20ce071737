"""Offsets between a raw text and the text that corrections make of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace

from variorum.model import Correction, CorrectionKind, Repair


class Offsets:
    """Maps offsets of a repaired text to the raw text and back.

    An offset inside a corrected span maps to the span's edge: downwards as a start, upwards as an end.
    """

    def __init__(self, corrections: Iterable[Correction]) -> None:
        self._spans: list[tuple[int, int, int, int]] = []  # raw start, raw end, text start, text end
        shift = 0
        for c in corrections:
            start = c.start + shift
            self._spans.append((c.start, c.end, start, start + len(c.reads)))
            shift += len(c.reads) - len(c.found)
        self._raw_starts = [s[0] for s in self._spans]
        self._text_starts = [s[2] for s in self._spans]

    def to_raw(self, at: int, *, end: bool = False) -> int:
        """The raw offset of an offset of the repaired text; as an end of a span if `end`, else as a start."""
        # An end at a span's first character lies before it; a start there lies in it.
        k = bisect_right(self._text_starts, at - 1 if end else at) - 1
        if k < 0:
            return at
        raw_start, raw_end, _, stop = self._spans[k]
        if end:
            return raw_end if at <= stop else raw_end + at - stop
        return raw_start if at < stop else raw_end + at - stop

    def to_text(self, at: int, *, end: bool = False) -> int:
        """The offset in the repaired text of a raw offset; inside a corrected span its start, or its end if `end`."""
        k = bisect_right(self._raw_starts, at - 1 if end else at) - 1
        if k < 0:
            return at
        _, raw_end, start, stop = self._spans[k]
        if at >= raw_end:
            return stop + at - raw_end
        return stop if end else start


def compose(repair: Repair, edits: Iterable[Correction]) -> Repair:
    """The repair with further corrections, whose offsets and `found` are of `repair.text`, put in raw terms.

    `edits` are in order and do not overlap. An edit that touches earlier corrections takes them in: it then finds the
    whole raw span and reads the edited text. Furniture stays a note of its own: an edit around it is cut down to the
    characters it changes, and is left out if they still lie on both sides. Returns a new Repair.
    """
    offsets = Offsets(repair.corrections)
    done: list[Correction] = []
    for old, new in _clusters(repair, [_clear_of_furniture(repair, offsets, e) for e in edits]):
        if not new or any(c.kind is CorrectionKind.FURNITURE for c in old):
            done += old
        else:
            done += _merge(repair, offsets, old, new)
    return replace(repair, corrections=tuple(done))


def _clear_of_furniture(repair: Repair, offsets: Offsets, edit: Correction) -> Correction:
    start, end = offsets.to_raw(edit.start), offsets.to_raw(edit.end, end=True)
    if not any(c.kind is CorrectionKind.FURNITURE and start < c.end and c.start < end for c in repair.corrections):
        return edit
    prefix = _alike(edit.found, edit.reads)
    suffix = _alike(edit.found[prefix:][::-1], edit.reads[prefix:][::-1])
    stop = len(edit.found) - suffix
    if prefix == stop:  # something put in, and no character of the page to hang it on without its neighbour
        return edit
    return replace(
        edit,
        start=edit.start + prefix,
        end=edit.start + stop,
        found=edit.found[prefix:stop],
        reads=edit.reads[prefix : len(edit.reads) - suffix],
    )


def _alike(a: str, b: str) -> int:
    """How many characters two strings begin with in common."""
    return next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _clusters(repair: Repair, edits: list[Correction]) -> Iterator[tuple[list[Correction], list[Correction]]]:
    """Earlier corrections and edits that touch one another, cluster by cluster, in order."""
    shift, spans = 0, []
    for c in repair.corrections:
        spans.append((c.start + shift, c.start + shift + len(c.reads), 0, c))
        shift += len(c.reads) - len(c.found)
    spans += [(e.start, e.end, 1, e) for e in edits]
    # A span of no width (something taken out) stands before what begins at its place.
    spans.sort(key=lambda s: (s[0], s[1] > s[0], s[1]))
    old: list[Correction] = []
    new: list[Correction] = []
    reach = -1
    for start, end, is_edit, c in spans:
        if start >= reach and (old or new):
            yield old, new
            old, new = [], []
        (new if is_edit else old).append(c)
        reach = max(reach, end)
    if old or new:
        yield old, new


def _merge(repair: Repair, offsets: Offsets, old: list[Correction], new: list[Correction]) -> list[Correction]:
    start, end = offsets.to_raw(new[0].start), offsets.to_raw(new[-1].end, end=True)
    if old:
        start, end = min(start, old[0].start), max(end, old[-1].end)
    left, right = offsets.to_text(start), offsets.to_text(end, end=True)
    pieces, at = [], left
    for edit in new:
        pieces += [repair.text[at : edit.start], edit.reads]
        at = edit.end
    reads = "".join(pieces) + repair.text[at:right]
    found = repair.raw[start:end]
    if reads == found:  # an edit that takes an earlier correction back
        return []
    cert = min(e.cert for e in new)
    return [replace(new[0], start=start, end=end, found=found, reads=reads, cert=cert)]
