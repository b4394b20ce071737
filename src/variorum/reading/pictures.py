"""Five pictures of a work: likeness, how the laws moved, a tree, a timeline, and what was read off each page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product

from variorum.model import Correction, CorrectionKind, Finding, Locus, Relation, Witness, Work
from variorum.reading.likeness import Branch, Likeness, hundredths, tree
from variorum.reading.svg import Picture, figure

ALL_NUMBERED = 40  # laws of an edition up to which each has its number in the picture; else every fifth
STEPS = 72  # boxes along a text in the picture of a witness: a text of 10 pages has some seven a page
UNDATED = "n. d."
_KINDS = (
    (CorrectionKind.MISREADING, "misread"),
    (CorrectionKind.SPACING, "spaces"),
    (CorrectionKind.BREAK, "line ends"),
    (CorrectionKind.FURNITURE, "furniture"),
    (CorrectionKind.ENCODING, "encoding"),
    (CorrectionKind.EMENDATION, "emended"),
)


def year(witness: Witness) -> str:
    """The year of an edition as it is known: "1850", "1850-55", or "n. d."."""
    first, last = witness.imprint.not_before, witness.imprint.not_after
    known = [y for y in (first, last) if y is not None]
    if not known:
        return UNDATED
    return str(known[0]) if len(set(known)) == 1 else f"{known[0]}–{known[-1]}"


def by_year(work: Work) -> tuple[Witness, ...]:
    """The witnesses, the oldest first; those without a year after the others, in the order of the manifest."""

    def when(witness: Witness) -> tuple[int, int]:
        first, last = witness.imprint.not_before, witness.imprint.not_after
        known = [y for y in (first, last) if y is not None]
        return (known[0], known[-1]) if known else (9999, 9999)

    return tuple(sorted(work.witnesses, key=when))


def pictures(work: Work, findings: Iterable[Finding] = (), likeness: Likeness | None = None) -> tuple[Picture, ...]:
    """The pictures that say something: of likeness and laws where there are two witnesses, of each witness's text."""
    likeness = likeness or Likeness(work)
    doubts = tuple(findings)
    drawn = []
    if len(work.witnesses) > 1:
        drawn += [heat(work, likeness), family(work, likeness)]
        if work.loci:
            drawn += [bands(work), timeline(work)]
    return (*drawn, *(noise(witness, doubts) for witness in by_year(work)))


# ------------------------------------------------------------------------------------------------------------- heat map


def heat(work: Work, likeness: Likeness) -> Picture:
    """A square for each two witnesses, the darker the more words they share, with the share in it."""
    own = by_year(work)
    cell, left, top = 46, 110, 30
    picture = Picture(
        f"{work.id}-likeness",
        f"{work.title}: likeness of the editions",
        "Each square gives how many of a hundred words two editions have in common, in the laws that both have; the"
        " darkest square of the picture stands for the most, the palest for the fewest.",
        left + cell * len(own) + 10,
        top + cell * len(own) + 10,
    )
    shares = [s for a, b in combinations(own, 2) if (s := likeness.whole(a.siglum, b.siglum)) is not None]
    for k, witness in enumerate(own):
        middle = cell * k + cell / 2 + 4
        picture.text(left + middle - 4, top - 8, witness.siglum, _fitting(witness.siglum, cell, 12), "middle")
        label = f"{witness.siglum} · {year(witness)}"
        picture.text(left - 8, top + middle, label, _fitting(label, left - 14, 12), "end")
        for n, other in enumerate(own):
            share = likeness.whole(witness.siglum, other.siglum)
            x, y = left + cell * n, top + cell * k
            if k == n or share is None:
                picture.box(x, y, cell - 2, cell - 2, "rule", 0.3)
            else:
                picture.box(x, y, cell - 2, cell - 2, "blue", _shade(share, min(shares), max(shares)))
            said = "–" if k == n or share is None else str(hundredths(share))
            picture.text(x + cell / 2 - 1, y + cell / 2 + 4, said, 12, "middle")
    return picture


def _shade(share: float, low: float, high: float) -> float:
    """How dark a square is, 0.08 to 0.56; where all are alike, each by what it says."""
    return round(0.08 + 0.48 * ((share - low) / (high - low) if high > low else share), 2)


def _fitting(words: str, width: float, size: float) -> float:
    """The size of type at which words are no wider than `width`, at most `size`; a letter is half as wide as high."""
    return max(5, min(size, width / (0.55 * max(1, len(words)))))


# ----------------------------------------------------------------------------------------------------------------- tree


def family(work: Work, likeness: Likeness) -> Picture:
    """The tree of the editions by likeness, with a scale of how many words differ."""
    root = tree(likeness)
    assert root
    own = {w.siglum: w for w in work.witnesses}
    age = {w.siglum: k for k, w in enumerate(by_year(work))}
    step, width, label, left, top = 30, 360, 140, 16, 14
    picture = Picture(
        f"{work.id}-tree",
        f"{work.title}: tree of the editions",
        "The way along the lines from one edition to another, measured from left to right and back, is about as long as"
        " the number of words in which they differ. By neighbour joining, hung up midway between the two least alike: a"
        " tree of likeness, not of descent. An edition from which others were set is close to where they part.",
        left + width + label,
        top + step * len(own) + 40,
    )
    reach = max(max(_depths(root)), 0.005)

    def draw(branch: Branch, first: int) -> float:
        x = left + width * branch.depth / reach
        if not branch.parts:
            y = top + step * first + step / 2
            words = f"{branch.sigla[0]} · {year(own[branch.sigla[0]])}"
            picture.text(x + 8, y + 4, words, _fitting(words, label - 12, 13))
            return y
        ys = []
        for part in sorted(branch.parts, key=lambda part: min(age[s] for s in part.sigla)):
            ys.append(draw(part, first))
            first += len(part.sigla)
            picture.line([(x, ys[-1]), (left + width * part.depth / reach, ys[-1])], "ink", 1.4)
        picture.line([(x, ys[0]), (x, ys[-1])], "ink", 1.4)
        return (ys[0] + ys[-1]) / 2

    middle = draw(root, 0)
    picture.line([(left - 8, middle), (left, middle)], "ink", 1.4)
    y, unit = top + step * len(own) + 12, _round_part(reach)
    picture.line([(left, y), (left + width * unit / reach, y)], "faint")
    for end in (0.0, unit):
        picture.line([(left + width * end / reach, y - 3), (left + width * end / reach, y + 3)], "faint")
    picture.text(left, y + 17, f"{100 * unit:g} words in 100", 11, "start", "faint")
    return picture


def _depths(branch: Branch) -> Iterator[float]:
    yield branch.depth
    for part in branch.parts:
        yield from _depths(part)


def _round_part(whole: float) -> float:
    """A round share, 0.1, 0.05, 0.02 ..., of at most half of `whole`."""
    sizes = (part * 10.0**-power for power in range(5) for part in (5, 2, 1))
    return next((size for size in sizes if size <= whole / 2), 0.0001)


# ---------------------------------------------------------------------------------------------------------------- bands


def bands(work: Work) -> Picture:
    """A column of laws for each edition; bands lead each law to what it became in the next edition that has it."""
    own = by_year(work)
    most = max((len(w.laws) for w in own), default=1) or 1
    pitch = 18.0 if most <= 40 else 11.0
    column, box, top = (150, 34, 34) if len(own) <= 6 else (96, 26, 34)
    picture = Picture(
        f"{work.id}-laws",
        f"{work.title}: how the laws moved",
        "A column an edition, a box a law with its number. A band leads to the same law in the next edition that has"
        " it: broken and red where the law moved, blue where it was split or merged.",
        column * len(own) - column + box + 120,
        top + pitch * most + 12,
    )
    places = {(w.siglum, law.id): k for w in own for k, law in enumerate(w.laws)}
    left = {w.siglum: 60 + column * k for k, w in enumerate(own)}
    moved: dict[tuple[str, str], frozenset[str]] = {}
    for locus in work.concordance.loci:
        for a, b in pairwise(w.siglum for w in own if w.siglum in locus.laws):
            if (a, b) not in moved:
                moved[a, b] = _moved(work.concordance.loci, a, b, places)
            parted = len(locus.laws[a]) != len(locus.laws[b])
            crossed = locus.id in moved[a, b]
            colour, dash = ("blue", "") if parted else ("accent", "5 2") if crossed else ("band", "")
            for one, other in _bound(locus.laws[a], locus.laws[b]):
                y1 = top + pitch * places[a, one] + pitch / 2 - 1
                y2 = top + pitch * places[b, other] + pitch / 2 - 1
                path = _curve(left[a] + box, y1, left[b], y2)
                picture.path(path, colour, pitch * 0.45, dash, 0.75)
    for witness in own:
        x = left[witness.siglum]
        label = f"{witness.siglum} · {year(witness)}"
        picture.text(x + box / 2, top - 14, label, _fitting(label, column - 8, 12), "middle")
        for k, law in enumerate(witness.laws):
            y = top + pitch * k
            picture.box(x, y, box, pitch - 2, "rule")
            if most <= ALL_NUMBERED or k % 5 == 0 or k + 1 == len(witness.laws):
                size = _fitting(law.number, box, pitch * 0.66)
                picture.text(x + box / 2, y + pitch * 0.65, law.number, size, "middle")
    return picture


def _bound(here: Sequence[str], there: Sequence[str]) -> Iterable[tuple[str, str]]:
    """The laws that a band binds: as many laws as there were are bound in their order, else each to each."""
    return zip(here, there, strict=True) if len(here) == len(there) else product(here, there)


def _curve(x1: float, y1: float, x2: float, y2: float) -> str:
    bend = min(60, (x2 - x1) / 2)
    ends = (x1 + bend, y1, x2 - bend, y2, x2, y2)
    return f"M{figure(x1)} {figure(y1)}C{' '.join(map(figure, ends))}"


def _moved(loci: Sequence[Locus], a: str, b: str, places: Mapping[tuple[str, str], int]) -> frozenset[str]:
    """The loci marked as moved that changed sides, from one witness to the other, with one that is not."""
    at = {
        locus.id: (places[a, locus.laws[a][0]], places[b, locus.laws[b][0]])
        for locus in loci
        if a in locus.laws and b in locus.laws
    }
    still = [at[locus.id] for locus in loci if locus.id in at and not locus.moved]
    return frozenset(
        locus.id
        for locus in loci
        if locus.id in at and locus.moved and any(_crossed(at[locus.id], other) for other in still)
    )


def _crossed(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return (one[0] < other[0]) != (one[1] < other[1])


# ------------------------------------------------------------------------------------------------------------- timeline


def timeline(work: Work) -> Picture:
    """A line for each locus from the first edition that has it to the last, with a dot where an edition has it."""
    own = by_year(work)
    loci = work.concordance.loci
    pitch, left, top = 16.0, 70, 40
    column = 74.0 if len(own) <= 8 else 58.0
    picture = Picture(
        f"{work.id}-timeline",
        f"{work.title}: when each law appears and goes",
        "A row a locus, the editions by year. A dot where an edition has the law, two where it has it in parts; a"
        " broken line where it is wanting between.",
        left + column * len(own) + 10,
        top + pitch * len(loci) + 8,
    )
    x = {w.siglum: left + column * k + column / 2 for k, w in enumerate(own)}
    for witness in own:
        picture.text(x[witness.siglum], 16, witness.siglum, _fitting(witness.siglum, column - 4, 12), "middle")
        picture.text(x[witness.siglum], 30, year(witness), _fitting(year(witness), column - 4, 11), "middle", "faint")
    for row, locus in enumerate(loci):
        y = top + pitch * row + pitch / 2
        picture.text(left - 14, y + 4, locus.id, _fitting(locus.id, left - 20, 11), "end", "faint")
        present = [w.siglum for w in own if w.siglum in locus.laws]
        order = [w.siglum for w in own]
        for a, b in pairwise(present):
            gap = order.index(b) - order.index(a) > 1
            picture.line([(x[a], y), (x[b], y)], "band", 2, "2 4" if gap else "")
        for siglum in present:
            parts = len(locus.laws[siglum])
            colour = "accent" if locus.relation is Relation.ONLY else "ink"
            for n in range(min(parts, 4)):
                at = x[siglum] + 8 * (n - (min(parts, 4) - 1) / 2)
                picture.box(at - 3, y - 3, 6, 6, colour)
    return picture


# -------------------------------------------------------------------------------------------------------------- witness


def noise(witness: Witness, findings: Iterable[Finding]) -> Picture:
    """Along the text of a witness: how much was corrected, by kind, and what is doubtful."""
    repair = witness.repair
    size = max(1, len(repair.raw))
    rows = [(name, _strip(repair.corrections, kind, size)) for kind, name in _KINDS]
    rows = [(name, strip) for name, strip in rows if any(strip)]
    doubts = Counter(min(STEPS - 1, f.start * STEPS // size) for f in findings if f.siglum == witness.siglum and f.end)
    rows.append(("doubts", [doubts[k] for k in range(STEPS)]))
    left, box, pitch, top = 84, 8, 24, 30
    about = "; ".join(f"{name} {sum(strip)}" for name, strip in rows)
    picture = Picture(
        f"{witness.siglum}-corrections",
        f"{witness.siglum}: noise and corrections along the text",
        f"About {100 * repair.noise:.1f} in 100 characters misread. {about[:1].upper() + about[1:]}.",
        left + box * STEPS + 60,
        top + pitch * len(rows) + 26,
    )
    said = f"{witness.siglum} · {year(witness)} · about {100 * repair.noise:.1f} in 100 characters misread"
    picture.text(left, 16, said, 12)
    for row, (name, strip) in enumerate(rows):
        y = top + pitch * row
        most = max(strip) or 1
        picture.text(left - 8, y + 15, name, 12, "end", "faint")
        picture.line([(left, y + 20), (left + box * STEPS, y + 20)], "rule")
        picture.text(left + box * STEPS + 8, y + 15, str(sum(strip)), 12)
        for k, count in enumerate(strip):
            if count:
                high = 3 + 16 * count / most
                colour = "accent" if name in ("misread", "doubts") else "blue"
                picture.box(left + box * k, y + 20 - high, box - 1, high, colour)
    y = top + pitch * len(rows) + 14
    picture.text(left, y, "beginning of the text", 11, "start", "faint")
    picture.text(left + box * STEPS, y, "end", 11, "end", "faint")
    return picture


def _strip(corrections: Sequence[Correction], kind: CorrectionKind, size: int) -> list[int]:
    counts = Counter(min(STEPS - 1, c.start * STEPS // size) for c in corrections if c.kind is kind)
    return [counts[k] for k in range(STEPS)]
