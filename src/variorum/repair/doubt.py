"""Which corrections are applied, and which are only suggested."""

from __future__ import annotations

from dataclasses import replace

from variorum.model import Finding, Repair

# Harm before help: at this certainty nine right words in ten thousand are harmed on noisy pages, and 45 words mended
# for each; a lower one would harm more. Measured by `python benchmarks/repair.py --apply 0.4`, 0.6 and so on; an
# editor may choose otherwise in corpus.toml.
APPLY = 0.5
# Below this, more suggestions are wrong than an editor would care to read.
SUGGEST = 0.3


def doubt(repair: Repair, apply: float = APPLY, suggest: float = SUGGEST) -> Repair:
    """The repair with only those corrections that are at least `apply` certain.

    One less certain than that, but at least `suggest`, becomes a finding with its reading as candidate; the page then
    stands there as it is. Both thresholds are certainties from 0 to 1.
    """
    kept = tuple(c for c in repair.corrections if c.cert >= apply)
    suggested = tuple(
        Finding(
            code="correction-suggested",
            message=f"{c.found.strip()!r} may be {c.reads!r} ({c.rule}, certainty {c.cert:.2f})",
            start=c.start,
            end=c.end,
            candidates=(c.reads,),
        )
        for c in repair.corrections
        if suggest <= c.cert < apply
    )
    return replace(repair, corrections=kept, findings=repair.findings + suggested)
