"""The words of one locus aligned: any number of witnesses, the same columns whatever their order.

Method: progressive alignment of each text with a growing profile of columns, closest texts first, then one text after
another taken out and set in again; the pairwise step is a global alignment with gap opening costs (Gotoh, J. Mol. Biol.
162, 1982), computed along antidiagonals; long texts are first cut at runs of words that occur once in each (the anchors
of patience diff).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from variorum.model import Collation, Token
from variorum.tokens import figure, skeleton, tokenise

# Scores are whole thousandths, so that a tie is a tie on every machine. The order is the point, not the values: a
# shared content word outweighs a shared article, an article a comma; two words that differ still share a column rather
# than two gaps; a word and a mark never do. `benchmarks/correspondence.py` measures them.
CONTENT, FUNCTION, MARK = 1000, 600, 350
NEAR_FLOOR = 0.6  # likeness of letters from which two words are taken for forms of one
UNLIKE, UNLIKE_MARKS, NEVER = 100, 200, -4000
# Two words that differ, where each stands once on the other side too but elsewhere: halves of a sentence that change
# places about a word ("the black dog chases a red cat") share their columns rather than stand once before, once after.
EXCHANGED = 400
GAP = 150
# A pause within a sentence goes with the word before it, so that what is added is "old," rather than ", old".
BOUND = 20
PAUSES = (",", ";", ":")
# Larger problems than this are first cut at anchors; it bounds time and memory, and no law is so long.
CELLS = 10_000
ROUNDS = 2  # of taking texts out and setting them in again; a third changed nothing on any table we have

FUNCTION_WORDS = frozenset(
    str.split(
        "a an the and or nor but of to in on at by for from with as if it its is be been are was were he she they his "
        "her their him them that this these those which who whom shall will may must should would can could not no any "
        "all such so then than there when where has have had do does did into upon"
    )
)

Text = tuple[str, ...]  # normal forms
Column = dict[int, int]  # number of the text -> position in it


def collate(texts: Mapping[str, str]) -> Collation:
    """Align the words of texts given by siglum; each text is one law, whole.

    Gives rows only, no variation units: every witness in every row, and read down each witness gives its tokens back.
    White space before a text's first word is the page's, not the law's, and has no row. Needs no similarity at all
    between the texts; an empty text has no token in any row.
    """
    tokens = {siglum: [t for t in tokenise(text) if t.surface] for siglum, text in texts.items()}
    normals = {siglum: tuple(t.normal for t in line) for siglum, line in tokens.items()}
    # Texts that compare equal are aligned once: a copy changes nothing, and no siglum has a say in the result.
    distinct = sorted({text for text in normals.values() if text})
    number = {text: k for k, text in enumerate(distinct)}
    which = {siglum: number.get(text, -1) for siglum, text in normals.items()}
    rows: list[Mapping[str, Token | None]] = []
    for column in _columns(distinct):
        places = {siglum: column.get(k) for siglum, k in which.items()}
        rows.append({siglum: None if at is None else tokens[siglum][at] for siglum, at in places.items()})
    return Collation(tuple(texts), tuple(rows))


def _columns(texts: Sequence[Text]) -> list[Column]:
    if not texts:
        return []
    first, *rest = _order(texts)
    profile: list[Column] = [{first: at} for at in range(len(texts[first]))]
    for k in rest:
        profile = _set_in(profile, texts, k)
    for _ in range(ROUNDS if len(texts) > 2 else 0):
        before = profile
        for k in range(len(texts)):
            without = [c for c in ({n: at for n, at in column.items() if n != k} for column in profile) if c]
            profile = _set_in(without, texts, k)
        if profile == before:
            break
    return profile


def _order(texts: Sequence[Text]) -> list[int]:
    """Closest pair first, then always the text closest to one already in; ties by the texts themselves."""
    from rapidfuzz.distance import Indel

    def between(k: int, n: int) -> float:
        return alike[(k, n) if k < n else (n, k)]

    left = set(range(len(texts)))
    alike = {(a, b): Indel.normalized_similarity(texts[a], texts[b]) for a in left for b in left if a < b}
    if not alike:
        return list(left)
    order = [*min(alike, key=lambda pair: (-alike[pair], pair))]
    left -= set(order)
    nearest = {k: max(between(k, n) for n in order) for k in left}
    while left:
        k = min(left, key=lambda n: (-nearest[n], n))
        order.append(k)
        left.remove(k)
        for n in left:
            nearest[n] = max(nearest[n], between(k, n))
    return order


def _set_in(profile: list[Column], texts: Sequence[Text], k: int) -> list[Column]:
    """The profile with one more text aligned to it."""
    kinds = [Counter(texts[n][at] for n, at in column.items()) for column in profile]
    merged: list[Column] = []
    for row, at in _pairs(kinds, texts[k]):
        column = dict(profile[row]) if row is not None else {}
        if at is not None:
            column[k] = at
        merged.append(column)
    return merged


Kinds = Sequence[Counter[str]]
Pair = tuple[int | None, int | None]


class Stretch(NamedTuple):
    """Rows [a, b) of a profile against positions [c, d) of a text; `settled` where they go together one to one."""

    a: int
    b: int
    c: int
    d: int
    settled: bool = False


def _pairs(kinds: Kinds, text: Text) -> list[Pair]:
    """Rows of a profile against positions of a text, in order."""
    keys = [min(kind, key=lambda word: (-kind[word], word)) for kind in kinds]
    todo = [Stretch(0, len(kinds), 0, len(text))]
    done: list[Pair] = []
    while todo:
        s = todo.pop()
        if s.settled:
            done += zip(range(s.a, s.b), range(s.c, s.d), strict=True)
        elif (s.b - s.a) * (s.d - s.c) <= CELLS:
            done += _small(kinds, text, s)
        else:
            todo += reversed(_cut(keys, text, s))
    return done


def _small(kinds: Kinds, text: Text, s: Stretch) -> list[Pair]:
    if s.a == s.b or s.c == s.d:
        return [(i, None) for i in range(s.a, s.b)] + [(None, j) for j in range(s.c, s.d)]
    rows, words = kinds[s.a : s.b], text[s.c : s.d]
    path = _path(_scores(rows, words), _pauses(rows, words))
    return [(None if i is None else i + s.a, None if j is None else j + s.c) for i, j in path]


def _cut(keys: Sequence[str], text: Text, s: Stretch) -> list[Stretch]:
    """Cut a large stretch into smaller ones at anchors or, where there are none, at an alignment by equal words."""
    left, right = keys[s.a : s.b], text[s.c : s.d]
    anchors = next(filter(None, (_anchors(left, right, width) for width in (3, 2, 1))), [])
    if not anchors:
        return _by_equal_words(left, right, s)
    stretches, i, j = [], s.a, s.c
    for p, q in anchors:
        stretches += [Stretch(i, s.a + p, j, s.c + q), Stretch(s.a + p, s.a + p + 1, s.c + q, s.c + q + 1, True)]
        i, j = s.a + p + 1, s.c + q + 1
    return [*stretches, Stretch(i, s.b, j, s.d)]


def _anchors(left: Sequence[str], right: Sequence[str], width: int) -> list[tuple[int, int]]:
    """Places where a run of `width` words occurs once on each side, as many as stand in one order on both."""
    places = [_once(side, width) for side in (left, right)]
    shared = sorted((places[0][run], places[1][run]) for run in places[0].keys() & places[1].keys())
    if width == 1:
        shared = [(p, q) for p, q in shared if _worth(left[p]) == CONTENT]
    return _chain(shared)


def _once(words: Sequence[str], width: int) -> dict[tuple[str, ...], int]:
    runs = [tuple(words[k : k + width]) for k in range(len(words) - width + 1)]
    count = Counter(runs)
    return {run: k for k, run in enumerate(runs) if count[run] == 1}


def _chain(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs that rises on both sides."""
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for k, (_, q) in enumerate(pairs):
        at = bisect_left(tails, q)
        before.append(last[at - 1] if at else -1)
        tails[at : at + 1] = [q]
        last[at : at + 1] = [k]
    chain, k = [], last[-1] if last else -1
    while k >= 0:
        chain.append(pairs[k])
        k = before[k]
    return chain[::-1]


def _by_equal_words(left: Sequence[str], right: Sequence[str], s: Stretch) -> list[Stretch]:
    from rapidfuzz.distance import Levenshtein

    return [
        Stretch(s.a + op.src_start, s.a + op.src_end, s.c + op.dest_start, s.c + op.dest_end, op.tag == "equal")
        if op.tag != "replace" or (op.src_end - op.src_start) * (op.dest_end - op.dest_start) <= CELLS
        else Stretch(s.a + op.src_start, s.a + op.src_end, s.c + op.dest_start, s.c + op.dest_end, True)
        for op in Levenshtein.opcodes(left, right)
    ]


@lru_cache(maxsize=65_536)
def _worth(word: str) -> int:
    if not skeleton(word):
        return MARK
    return FUNCTION if word in FUNCTION_WORDS else CONTENT


def _likeness(left: Sequence[str], right: Sequence[str]) -> Any:
    """Score of each word of one list with each of another, in thousandths."""
    import numpy as np
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    bare = [[skeleton(w) or w for w in side] for side in (left, right)]
    ratio = cdist(bare[0], bare[1], scorer=Indel.normalized_similarity, dtype=np.float64)
    worth = [np.array([_worth(w) for w in side]) for side in (left, right)]
    least = np.minimum.outer(worth[0], worth[1])
    near = ratio * 0.9
    near[ratio == 1.0] = 0.95
    number = {
        value: k + 1 for k, value in enumerate(sorted({figure(w) for side in (left, right) for w in side} - {""}))
    }
    figures = [np.array([number.get(figure(w), -side) for w in words]) for side, words in enumerate((left, right))]
    near[np.equal.outer(figures[0], figures[1]) & (figures[0] > 0)[:, None]] = 0.95
    score = np.where(near >= NEAR_FLOOR * 0.9, near * least, UNLIKE * (1 + ratio))
    marks = [w == MARK for w in worth]
    score[np.logical_and.outer(marks[0], marks[1])] = UNLIKE_MARKS
    score[np.logical_xor.outer(marks[0], marks[1])] = NEVER
    place = {word: k for k, word in enumerate(right)}
    for i, word in enumerate(left):
        if word in place:
            score[i, place[word]] = worth[0][i]
    return np.rint(score).astype(np.int64)


def _scores(kinds: Kinds, text: Text) -> Any:
    """Score of each row of a profile with each word of a text: that of the witness closest to it there."""
    import numpy as np

    left, right = sorted({w for kind in kinds for w in kind}), sorted(set(text))
    rank, place = {w: k for k, w in enumerate(left)}, {w: k for k, w in enumerate(right)}
    table = _likeness(left, right)[:, [place[w] for w in text]]
    score = np.empty((len(kinds), len(text)), dtype=np.int64)
    for i, kind in enumerate(kinds):
        score[i] = table[[rank[w] for w in kind]].max(axis=0)
    rows, columns = _exchangeable(kinds, text)
    cells = np.ix_(rows, columns)
    unlike = (score[cells] > 0) & (score[cells] < EXCHANGED)
    score[cells] = np.where(unlike, EXCHANGED, score[cells])
    return score


def _exchangeable(kinds: Kinds, text: Text) -> tuple[list[int], list[int]]:
    """Rows and positions of the content words that stand once on each side."""
    rows = Counter(w for kind in kinds for w in kind)
    places = Counter(text)
    once = {w for w in rows.keys() & places.keys() if rows[w] == places[w] == 1 and _worth(w) == CONTENT}
    return (
        [i for i, kind in enumerate(kinds) if not once.isdisjoint(kind)],
        [j for j, w in enumerate(text) if w in once],
    )


def _pauses(kinds: Kinds, text: Text) -> Any:
    """Where a pause within the sentence meets the same pause."""
    import numpy as np

    left = [next((w for w in PAUSES if w in kind), "") for kind in kinds]
    right = [w if w in PAUSES else "-" for w in text]
    return np.equal.outer(np.array(left), np.array(right)).astype(np.int64)


def _path(score: Any, pauses: Any) -> list[Pair]:
    """The best global alignment of rows with columns of a score table.

    Among equals, a true match stands as late as it can and a mere substitution as early as it can.
    """
    import numpy as np

    n, m = score.shape
    low = -(10**12)
    padded = np.zeros((n + 1, m + 1), dtype=np.int64)
    padded[1:, 1:] = score
    match = np.full((n + 1) * (m + 1), low, dtype=np.int64)
    gap = np.full((n + 1) * (m + 1), low, dtype=np.int64)
    match[0] = 0
    gap[1 : m + 1] = -GAP
    gap[m + 1 :: m + 1] = -GAP
    flat = padded.ravel()
    bound = np.zeros((n + 1, m + 1), dtype=np.int64)
    bound[1:, 1:] = pauses * BOUND
    tied = bound.ravel()
    for d in range(2, n + m + 1):
        low_i, high_i = max(1, d - m), min(n, d - 1)
        at, end = d + low_i * m, d + high_i * m + 1
        here, diag = slice(at, end, m), slice(at - m - 2, end - m - 2, m)
        up, back = slice(at - m - 1, end - m - 1, m), slice(at - 1, end - 1, m)
        match[here] = flat[here] + np.maximum(match[diag] + tied[here], gap[diag])
        opened = np.maximum(match[up], match[back]) - GAP
        gap[here] = np.maximum(opened, np.maximum(gap[up], gap[back]))
    return _trace(
        padded.tolist(), bound.tolist(), match.reshape(n + 1, m + 1).tolist(), gap.reshape(n + 1, m + 1).tolist()
    )


def _trace(score: list[list[int]], bound: list[list[int]], match: list[list[int]], gap: list[list[int]]) -> list[Pair]:
    i, j = len(score) - 1, len(score[0]) - 1
    path: list[Pair] = []
    in_gap = _ends_in_gap(score, match, gap, i, j, 0)
    while i or j:
        if not in_gap:
            tie = bound[i][j]
            i, j = i - 1, j - 1
            path.append((i, j))
            in_gap = _ends_in_gap(score, match, gap, i, j, tie)
            continue
        value = gap[i][j]
        if i and value in (gap[i - 1][j], match[i - 1][j] - GAP):
            i -= 1
            path.append((i, None))
        else:
            j -= 1
            path.append((None, j))
        in_gap = value == gap[i][j]
    return path[::-1]


def _ends_in_gap(
    score: list[list[int]], match: list[list[int]], gap: list[list[int]], i: int, j: int, tie: int
) -> bool:
    if match[i][j] + tie != gap[i][j]:
        return gap[i][j] > match[i][j] + tie
    return score[i][j] <= 2 * UNLIKE
