"""Misread words, lost and added spaces, stray marks: one decoder proposes, a gate decides.

The design is Kernighan, Church and Gale's noisy channel (1990) over a lattice of units: every unit may stay, be another
word, join its neighbour, fall apart or go, and the language model in its context is weighed against the confusions of
OCR. Words right in their place are looked up once and cost almost nothing after. What the decoder prefers is only a
proposal; the gate (`words_gate`) says how certain each is, since a word harmed is worse than one left.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import log
from typing import TYPE_CHECKING

from variorum.language.confusions import blocks
from variorum.language.running import fold
from variorum.model import Correction, Finding
from variorum.repair.words_forms import Forms, forms_of
from variorum.repair.words_gate import Proposal, certainty
from variorum.repair.words_habits import habits
from variorum.repair.words_lattice import Option, best_path, score_run
from variorum.repair.words_noise import estimate_noise
from variorum.repair.words_notes import Notes
from variorum.repair.words_options import Options
from variorum.repair.words_passage import Passage
from variorum.repair.words_points import point_corrections
from variorum.repair.words_tongue import said
from variorum.repair.words_units import Unit

if TYPE_CHECKING:
    from variorum.language.model import Language

ADAPTED_NOISE = 0.01  # share of misread characters from which a page has habits of its own to learn
LIKELY = 0.6  # certainty from which a proposal shows what the engine does
BOLD = 3.0  # the decoder leans this far to readings, so that the gate has more to choose from
FAR = 20.0  # ahead of the next best by more than this is no further news
FEW = 8  # more occurrences than this in a text are not news either
NEARBY = 1_500  # units to either side in which the same fault speaks for itself
# Certainty of a word read for another that stands without a context, or in a text that shows no other misreading: never
# more than a suggestion, unless in the second case it is all but certain.
UNSUPPORTED = 0.45
SURE = 0.9
REPORTED = 0.2  # certainty below which a proposal is not even a suggestion


class Decoder:
    """Reads a passage and says what it prefers to the page."""

    def __init__(self, passage: Passage) -> None:
        self.passage, self.options, self.notes = passage, Options(passage), Notes(passage)

    def proposals(self) -> list[tuple[Option, Proposal]]:
        """What the decoder prefers to the page, with what speaks for and against it.

        A noisy page is read twice: the first time shows how this engine misread this print, and the second goes by that
        (one round of expectation and maximisation, as Tong and Evans did in 1996).
        """
        found = self.read()
        if self.passage.noise > ADAPTED_NOISE and self.adapt(habits(self.faults(found), self.passage.text)):
            found = self.read()
        return found

    def read(self) -> list[tuple[Option, Proposal]]:
        """One reading of the passage."""
        found = [pair for first, lattice in self.stretches() for pair in self.decode(first, lattice)]
        return _supported(found, self.passage.units)

    def faults(self, found: Sequence[tuple[Option, Proposal]]) -> Iterator[tuple[str, str]]:
        """The letters misread, each with what it stands for, in the proposals that are likely right."""
        for option, proposal in found:
            if option.kind == "word" and certainty(proposal) >= LIKELY:
                yield from blocks(fold(self.passage.units[option.first].core), option.words[0])

    def adapt(self, learned: Mapping[tuple[str, str], float]) -> bool:
        """Looks again at the units that the page's own habits may have touched; False where it has none."""
        if not learned:
            return False
        self.passage.long_s = ("f", "s") in learned
        forms = Forms(self.passage.language, learned, self.passage.forms)
        touched = tuple(sorted({misread for misread, _ in learned if misread}))
        for k, unit in enumerate(self.passage.units):
            core = fold(unit.core)
            if not self.passage.entries[k].known or any(m in core for m in touched):
                self.passage.entries[k] = forms.entry(unit.core)
        return True

    def stretches(self) -> Iterator[tuple[int, list[list[Option]]]]:
        """Stretches of units of which some have more than one reading: the first unit, the readings from each."""
        lattice: list[list[Option]] = []
        first, reach = 0, 0
        for k in range(len(self.passage.units)):
            options = self.options.at(k)
            if len(options) == 1 and k >= reach:
                if lattice:
                    yield first, lattice
                    lattice = []
                continue
            if not lattice:
                first = k
            lattice.append(options)
            reach = max([reach, *(o.last for o in options)])
        if lattice:
            yield first, lattice

    def decode(self, first: int, lattice: list[list[Option]]) -> Iterator[tuple[Option, Proposal]]:
        """Steps of the best path through a stretch that do not leave the page as it is."""
        last = first + len(lattice)
        stops = [False, *(self.passage.units[k].stop for k in range(first + 1, last))]
        path = best_path(
            self.passage.language, lattice, stops, self.passage.left(first), self.passage.right(last), BOLD
        )
        for at, option in enumerate(path):
            if option.kind != "stay":
                yield option, self.weigh(path, at, lattice[option.first - first])

    def around(self, path: Sequence[Option], at: int) -> tuple[tuple[int, int], tuple[int, ...]]:
        """Two word numbers before and after a step of the path, as the path reads them."""
        option = path[at]
        before, after = self.passage.left(option.first), self.passage.right(option.last)
        if at and path[at - 1].numbers and not self.passage.units[option.first].stop:
            before = (self.passage.left(path[at - 1].first)[1], path[at - 1].numbers[-1])
        if at + 1 < len(path) and path[at + 1].numbers and not self.passage.units[option.last].stop:
            after = (path[at + 1].numbers[0], *self.passage.right(path[at + 1].last))
        return before, after[:2]

    def weigh(self, path: Sequence[Option], at: int, rivals: Sequence[Option]) -> Proposal:
        """What speaks for and against a step of the path."""
        option = path[at]
        before, after = self.around(path, at)
        language = self.passage.language

        def worth(numbers: Sequence[int]) -> float:
            return score_run(language, before, (*numbers, *after))

        new = worth(option.numbers)
        gain = new - worth(self.passage.run(option.first, option.last))
        odd = sum(self.passage.odd(k) for k in range(option.first, option.last))
        words = [o for o in rivals if o is not option and o.words and o.last == option.last]
        others = [worth(o.numbers) - o.cost for o in words]
        lead = min(FAR, new - option.cost - max(others)) if others else FAR
        old = self.passage.run(option.first, option.last)
        seen = (self.seen(before, old, after), self.seen(before, option.numbers, after))
        return self.proposal(option, gain, odd, lead, seen)

    def seen(self, before: tuple[int, int], numbers: Sequence[int], after: Sequence[int]) -> float:
        """How many of the two pairs that a reading makes with its neighbours the language has seen."""
        run = (before[1], *numbers, *after[:1])
        return float(self.passage.language.seen(run[0], run[1])) + float(self.passage.language.seen(run[-2], run[-1]))

    def proposal(self, option: Option, gain: float, odd: float, lead: float, seen: tuple[float, float]) -> Proposal:
        """What the gate weighs, from what the language model says of an option (`weigh`)."""
        language = self.passage.language
        span = self.passage.units[option.first : option.last]
        entries = self.passage.entries[option.first : option.last]
        unit, core = span[0], "".join(u.core for u in span)
        near = (
            self.passage.entries[max(0, option.first - 4) : option.first]
            + self.passage.entries[option.last : option.last + 4]
        )
        new_counts = [language.count(w) for w in option.words] or [0]
        return Proposal(
            gain=gain,
            cost=option.cost,
            odd=odd,
            lead=lead,
            known=float(all(e.known for e in entries)),
            old_count=log(1 + min(language.count(u.core) for u in span)),
            new_count=log(1 + min(new_counts)),
            old_here=_few(min(self.passage.here[u.core] for u in span) - 1),
            new_here=_few(min((self.passage.folded_here[w] for w in option.words), default=0)),
            length=float(len(core)),
            capital=float(core[0].isupper() and not unit.stop),
            upper=float(core.isupper()),
            name=max((language.capitalised(w) for w in option.words), default=0.0),
            stopped=float(span[-1].trail.startswith(".")),
            spelled=language.spelled(core) / (len(core) + 1),
            mark=float(not _plain(core)),
            around=sum(not e.known for e in near) / max(1, len(near)),
            noise=log(self.passage.odd_share),
            join=float(option.kind == "join"),
            split=float(option.kind == "split"),
            drop=float(option.kind == "drop"),
            point=float(option.kind == "point"),
            bits=self.passage.bits,
            dirt=self.passage.dirt,
            seen_old=seen[0],
            seen_new=seen[1],
            part=float(_shortest(option, [u.core for u in span])),
            **_compared(fold(core), "".join(option.words)),
        )

    def corrections(self) -> Iterator[Correction]:
        """The proposals that the gate finds worth reporting, as notes on the text."""
        clean = not self.passage.misread
        for option, proposal in self.proposals():
            cert = certainty(proposal)
            if proposal.known and self.alone(option):
                cert = min(cert, UNSUPPORTED)
            if clean and cert < SURE:
                cert = min(cert, UNSUPPORTED)
            if cert >= REPORTED:
                correction = self.notes.correction(option, cert, proposal)
                if correction is not None:
                    yield correction

    def alone(self, option: Option) -> bool:
        """True where no other word of the sentence stands beside what is read: nothing there speaks for a reading."""
        last = option.last
        return self.passage.units[option.first].stop and (
            last == len(self.passage.units) or self.passage.units[last].stop
        )


def _supported(found: list[tuple[Option, Proposal]], around: Sequence[Unit]) -> list[tuple[Option, Proposal]]:
    """The proposals with how often the same is proposed nearby: the same reading, and the same letters misread."""
    pairs: defaultdict[tuple[str, tuple[str, ...]], list[int]] = defaultdict(list)
    habits: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    kept = []
    for option, p in found:
        core = "".join(fold(u.core) for u in around[option.first : option.last])
        faults = list(blocks(core, " ".join(option.words)))
        pairs[core, option.words].append(option.first)
        if not p.known:
            for fault in faults:
                habits[fault].append(option.first)
        kept.append((option, p, core, faults))
    done = []
    for option, p, core, faults in kept:
        again = _nearby(pairs[core, option.words], option.first)
        habit = max((_nearby(habits[f], option.first) for f in faults if f in habits), default=0)
        done.append((option, replace(p, again=_few(again), habit=_few(habit))))
    return done


def _nearby(places: Sequence[int], place: int) -> int:
    """How many of the places, in order, are near to one, itself not counted."""
    count = bisect_right(places, place + NEARBY) - bisect_left(places, place - NEARBY)
    at = bisect_left(places, place)
    return count - (at < len(places) and places[at] == place)


def _plain(core: str) -> bool:
    """True for letters without accents, hyphens and apostrophes."""
    letters = core.replace("-", "").replace("'", "").replace("’", "").replace("ſ", "s")
    return letters.isalpha() and letters.isascii()


def _few(n: int) -> float:
    return log(1 + min(FEW, max(0, n)))


def _shortest(option: Option, cores: Sequence[str]) -> int:
    parts = {"split": option.words, "join": cores}.get(option.kind, ())
    return min(map(len, parts), default=0)


def _compared(core: str, reading: str) -> dict[str, float]:
    """How far a reading is from what stands, and whether it begins and ends as that does."""
    from rapidfuzz.distance import Levenshtein

    return {
        "edits": float(Levenshtein.distance(core, reading)),
        "head": float(core[:1] == reading[:1]),
        "tail": float(core[-1:] == reading[-1:]),
        "longer": float(len(reading) - len(core)),
    }


def proposals(text: str, language: Language) -> Iterator[tuple[int, int, str, Proposal]]:
    """What the decoder prefers to a text, the gate unasked: start, end, folded reading, what speaks for it."""
    passage = Passage(text, forms_of(language), estimate_noise(text, language))
    for option, proposal in Decoder(passage).proposals():
        span = passage.units[option.first : option.last]
        yield span[0].start, span[-1].end, " ".join(option.words), proposal


def correct_words(
    text: str, language: Language, noise: float, year: int | None = None
) -> tuple[tuple[Correction, ...], tuple[Finding, ...]]:
    """Corrections of misread words, spaces and stray marks, their offsets those of `text`, in order and apart.

    `text` is a text without furniture and line-end hyphens, `noise` the estimated share of its characters misread (0 to
    1, `words_noise.estimate_noise`), `year` that of the print: early spelling is kept, and where no year is given the
    text itself shows it. Each correction's `cert` says how sure the gate is; the caller decides from what certainty on
    it applies. The findings tell what was left alone because it is in another language.
    """
    passage = Passage(text, forms_of(language), noise, year)
    found = list(Decoder(passage).corrections())
    taken = {at for c in found for at in (c.start, c.end - 1)}
    points = point_corrections(text, passage.units, language, passage.misread)
    found += [c for c in points if taken.isdisjoint((c.start, c.end - 1))]
    return tuple(sorted(found, key=lambda c: (c.start, c.end))), said(passage.units, passage.strange)
