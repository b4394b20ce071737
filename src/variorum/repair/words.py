"""Misread words, lost and added spaces, stray marks: one decoder proposes, a gate decides.

The design is Kernighan, Church and Gale's noisy channel (1990) over a lattice of units: every unit may stay, be another
word, join its neighbour, fall apart or go, and the language model in its context is weighed against the confusions of
OCR. Words right in their place are looked up once and cost almost nothing after. What the decoder prefers is only a
proposal; the gate (`words_gate`) says how certain each is, since a word harmed is worse than one left.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import TYPE_CHECKING

from variorum.language.confusions import blocks
from variorum.language.running import fold
from variorum.model import Correction, CorrectionKind
from variorum.repair.words_candidates import Candidates, is_mark
from variorum.repair.words_gate import Proposal, certainty
from variorum.repair.words_lattice import STOP_NUMBER, Option, best_path, score_run
from variorum.repair.words_noise import ALIKE, estimate_noise, oddness
from variorum.repair.words_points import point_corrections
from variorum.repair.words_units import LONGEST, Unit, units
from variorum.repair.words_variants import early_forms, elided, same_inflected, same_spelled

if TYPE_CHECKING:
    from variorum.language.model import Language

# Two words that print joined as it pleased: an adverb with its participle (beforementioned), and here, there and where
# with a preposition (hereunto).
_COMPOUND = re.compile(
    r"(?:before|above|after|under|over)[a-z]+(?:ed|en|said)"
    r"|(?:here|there|where)(?:about|after|at|by|for|from|in|into|of|on|to|under|until|unto|upon|with)"
)
KNOWN_BOUND = 10.0  # a word is read as another only along one confusion this cheap
KNOWN_ROOM = 2.0  # how far behind a known word another may be in its own context and still enter the lattice
OTHER_FLOOR = 20  # counts below this are too rare to replace a word that is one
PART_FLOOR = 60  # counts of the parts of a split
JOIN_COST = 7.5  # ln P of a space added, from ght_*_dev
SPLIT_COST = 6.5  # ln P of a space lost
DROP_COST = 6.0
PIECES = 4  # units that one word may have fallen into
SPELLED = 1.0  # weight of the letters of an unknown word
LEARNED_NOISE = 0.04  # the noise of the pages that the confusions were learned from
BOLD = 2.0  # the decoder leans this far to readings, so that the gate has more to choose from
FAR = 20.0  # ahead of the next best by more than this is no further news
FEW = 8  # more occurrences than this in a text are not news either
NEARBY = 1_500  # units to either side in which the same fault speaks for itself
MISREAD = 0.0015  # more misread characters, or words with marks in them, than a clean book shows
MODERN = 1700  # print before this year, or with this share of words spelled as before it, keeps its spelling
EARLY_SHARE = 0.02
UNSUPPORTED = 0.5  # certainty of a word read for another that stands without a context: never more than a suggestion
REPORTED = 0.2  # certainty below which a proposal is not even a suggestion


@dataclass(slots=True)
class _Entry:
    """What is known of a form of word, whatever its place."""

    number: int
    known: bool
    fixed: bool  # never to be touched
    odd: float
    others: list[tuple[str, int, float]]  # reading, its number, cost


class _Words:
    """The forms of a language as they were met, remembered from text to text."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.candidates = Candidates(language)
        self._entries: dict[str, _Entry] = {}
        self._early: dict[str, bool] = {}

    def entry(self, core: str) -> _Entry:
        found = self._entries.get(core)
        if found is None:
            if len(self._entries) > 1 << 17:
                self._entries.clear()
            found = self._entries[core] = self._look(core)
        return found

    def _look(self, core: str) -> _Entry:
        language = self.language
        known = language.known(core)
        number = self.number(core)
        if _untouchable(core):
            return _Entry(number, known, True, 0.0, [])
        odd = 0.0 if known else -SPELLED * language.spelled(core)
        return _Entry(number, known, False, odd, self._others(core, known))

    def number(self, core: str) -> int:
        """The model's number of a form: of an unknown compound that of its last part, of a possessive the owner's."""
        number = self.language.number(core)
        folded = fold(core)
        if not number and folded.endswith(("'s", "s'")):
            number = self.language.number(folded.removesuffix("'s").removesuffix("'"))
        if not number and "-" in folded:
            number = self.language.number(folded.rsplit("-", 1)[1])
        return number

    def early(self, core: str) -> bool:
        """True for no word of the lexicon that is one in a later spelling."""
        found = self._early.get(core)
        if found is None:
            known = self.language.known
            found = not known(core) and any(map(known, early_forms(fold(core))))
            self._early[core] = found
        return found

    def _others(self, core: str, known: bool) -> list[tuple[str, int, float]]:
        language = self.language
        if known:
            found = self.candidates.confused(core, KNOWN_BOUND) if core.isalpha() else []
            folded = fold(core)
            return [
                (w, language.index[w], c)
                for w, c in found
                if language.count(w) >= OTHER_FLOOR and not same_spelled(folded, w) and not same_inflected(folded, w)
            ]
        stem, tail = core, ""
        if fold(core).endswith("'s"):
            stem, tail = core[:-2], "'s"
        if "-" in stem.strip("-"):
            return self._compound(stem, tail)
        folded = fold(stem)
        found = self.candidates.near(stem)
        return [(w + tail, language.index[w], c) for w, c in found if not same_spelled(folded, w)]

    def _compound(self, stem: str, tail: str) -> list[tuple[str, int, float]]:
        """A compound of which one part is no word: that part mended."""
        parts = stem.split("-")
        odd = [k for k, p in enumerate(parts) if not self.language.known(p)]
        if len(odd) != 1 or not parts[odd[0]]:
            return []
        found = []
        for word, cost in self.candidates.near(parts[odd[0]])[:3]:
            reading = "-".join([*map(fold, parts[: odd[0]]), word, *map(fold, parts[odd[0] + 1 :])]) + tail
            found.append((reading, self.number(reading), cost))
        return found


def _untouchable(core: str) -> bool:
    """Numbers, ordinals, other scripts, words with accents, single letters and endless runs are left as they are."""
    if len(core) < 2 or len(core) > LONGEST:
        return not (len(core) == 1 and is_mark(core))
    letters = sum(c.isalpha() for c in core)
    if letters < 2 or letters * 2 < len(core):
        return bool(letters) or len(core) > 3 or core.isalnum() or any(c.isdigit() for c in core)
    if any(c.isalpha() and c > "\x7f" and c not in "ſæœﬁﬂﬀﬃﬄ" for c in core):
        return True
    return core[0].isdigit() and core.lstrip("0123456789").lower() in ("st", "nd", "rd", "th", "d", "s", "mo", "vo")


def _times(margin: float) -> str:
    """A likelihood ratio, given as its logarithm, in words."""
    if margin > log(1e6):
        return "over a million times"
    return f"{exp(margin):,.0f} times" if margin > log(2) else "hardly"


def _few(n: int) -> float:
    return log(1 + min(FEW, max(0, n)))


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


def _shown(letters: str) -> str:
    return "a space" if letters.isspace() else letters.replace(" ", "_") or "nothing"


def _dirty(core: str) -> bool:
    """True for a word with a mark or a figure among its letters."""
    return not core.isalpha() and any(map(str.isalpha, core)) and any(is_mark(c) or c.isdigit() for c in core)


def _shortest(option: Option, cores: Sequence[str]) -> int:
    parts = {"split": option.words, "join": cores}.get(option.kind, ())
    return min(map(len, parts), default=0)


def _nearby(places: Sequence[int], place: int) -> int:
    """How many of the places, in order, are near to one, itself not counted."""
    count = bisect_right(places, place + NEARBY) - bisect_left(places, place - NEARBY)
    at = bisect_left(places, place)
    return count - (at < len(places) and places[at] == place)


class _Text:
    """One text on its way through the decoder."""

    def __init__(self, text: str, words: _Words, noise: float, year: int | None = None) -> None:
        self.text, self.words, self.language = text, words, words.language
        self.units = units(text)
        self.entries = [words.entry(u.core) for u in self.units]
        self.here = Counter(u.core for u in self.units)
        self.folded_here = Counter(fold(u.core) for u in self.units)
        self.odd_share = oddness((u.core for u in self.units), self.language)
        self.early = year < MODERN if year is not None else self.early_share() > EARLY_SHARE
        self.dirt = log((0.3 + sum(map(_dirty, self.here.elements()))) / (len(self.units) + 150))
        self.shift = min(1.0, max(-3.0, log((noise + 0.002) / LEARNED_NOISE)))

    def early_share(self) -> float:
        """The share of words that the lexicon knows only in a later spelling (vpon, haue, iustice)."""
        lower = [c for c in self.here.elements() if len(c) > 2 and c.islower()]
        return sum(self.words.early(c) for c in lower) / max(ALIKE, len(lower))

    def misread(self, noise: float) -> bool:
        """True where the text shows that OCR has read it."""
        return noise > MISREAD or self.dirt > log(MISREAD)

    # --------------------------------------------------------------------------------------------------- options

    def options(self, k: int) -> list[Option]:
        """The ways to read the text from unit k on; the first is to leave it."""
        unit, entry = self.units[k], self.entries[k]
        stay = Option(k, k + 1, "stay", (), (entry.number,), self.odd(k))
        if entry.fixed or self.guarded(k):
            return [stay, *self.joins(k)]
        found = [stay]
        if len(unit.core) == 1 and is_mark(unit.core):
            return [stay, Option(k, k + 1, "drop", (), (), DROP_COST - self.shift)]
        others = self.likely_others(k) if entry.known else entry.others
        others = [o for o in others if not elided(fold(unit.core), o[0], unit.lead or unit.gap.rstrip(), self.after(k))]
        found += [Option(k, k + 1, "word", (w,), (n,), c - self.shift) for w, n, c in others]
        if not entry.known:
            found += self.splits(k)
        return found + self.joins(k)

    def after(self, k: int) -> str:
        """What stands right after unit k, past a space that the OCR put before an apostrophe."""
        unit = self.units[k]
        return unit.trail or self.text[unit.end : unit.end + 2].lstrip()

    def odd(self, k: int) -> float:
        """What it costs to take an unknown unit for a word: less where the text has it again and again."""
        entry = self.entries[k]
        if entry.known or not entry.odd:
            return 0.0
        repeats = self.here[self.units[k].core]
        return entry.odd if repeats < 3 else entry.odd / repeats

    def guarded(self, k: int) -> bool:
        """Abbreviations, names that stand here more than once, and capitals amid a sentence that are words."""
        unit, entry = self.units[k], self.entries[k]
        if self.early and (entry.known or self.words.early(unit.core)):
            return True
        if entry.known:
            return unit.core[0].isupper() and (not unit.stop or unit.core.isupper())
        if unit.trail.startswith(".") and len(unit.core) <= 4 and self.goes_on(k):
            return True
        return unit.core[0].isupper() and self.here[unit.core] > 1

    def goes_on(self, k: int) -> bool:
        """True where the sentence goes on after a full stop: an abbreviation."""
        following = self.units[k + 1] if k + 1 < len(self.units) else None
        if following is None:
            return False
        # A number with its own stop ("deai. 3. A revoke"), or on a new line, begins the next law.
        counts = following.trail.startswith(".") or "\n" in following.gap
        return following.core[0].islower() or (following.core[0].isdigit() and not counts)

    def likely_others(self, k: int) -> list[tuple[str, int, float]]:
        """Those words for a known one that its neighbours do not rule out."""
        entry = self.entries[k]
        if not entry.others:
            return []
        before, after = self.left(k), self.right(k + 1)
        stays = score_run(self.language, before, (entry.number, *after))
        floor = stays - KNOWN_ROOM - self.shift
        return [o for o in entry.others if score_run(self.language, before, (o[1], *after)) - o[2] > floor]

    def joins(self, k: int) -> list[Option]:
        """Words that unit k makes with those after it."""
        found, joined = [], self.units[k].core
        if self.units[k].trail:
            return []
        for last in range(k + 1, min(k + PIECES, len(self.units))):
            unit = self.units[last]
            if unit.gap not in (" ", "\n") or unit.lead or not unit.core.isalpha():
                break
            joined += unit.core
            if self.joinable(k, last + 1, joined):
                word = fold(joined)
                cost = JOIN_COST * (last - k) - self.shift * (last - k)
                found.append(Option(k, last + 1, "join", (word,), (self.language.index[word],), cost))
            if unit.trail:
                break
        return found

    def joinable(self, first: int, last: int, joined: str) -> bool:
        """Only where a piece is no common word: two true words are never joined, whatever later print did.

        A capital alone before a word stands for a player ("B ought to lead") or a name; `initials` joins those that
        begin a sentence.
        """
        if self.language.count(joined) < 3 or not joined.isalpha():
            return False
        cores = [self.units[k].core for k in range(first, last)]
        return any(not self.common(c) for c in cores[len(cores[0]) == 1 and cores[0].isupper() :])

    def common(self, core: str) -> bool:
        return core in ("a", "A", "I", "O", "o") or (len(core) > 1 and self.language.count(core) >= 100)

    def splits(self, k: int) -> Iterator[Option]:
        """Two common words that unit k may hold."""
        core, language = self.units[k].core, self.language
        word = fold(core)
        if _COMPOUND.fullmatch(word) or (not core.isalpha() and sum(map(is_mark, core)) != 1):
            return
        for at in range(1, len(word)):
            left, right = word[:at], word[at:]
            cost = SPLIT_COST - self.shift
            if is_mark(right[0]):
                right, cost = right[1:], cost + 1.0
            if self.part(left) and self.part(right):
                yield Option(k, k + 1, "split", (left, right), (language.index[left], language.index[right]), cost)

    def part(self, word: str) -> bool:
        if len(word) == 1:
            return word == "a"
        return self.language.count(word) >= PART_FLOOR and self.language.capitalised(word) < 0.5

    # --------------------------------------------------------------------------------------------------- context

    def left(self, k: int) -> tuple[int, int]:
        """The two word numbers before unit k as the page has them."""
        run = self.run(max(0, k - 2), k)
        if self.units[k].stop:
            run.append(STOP_NUMBER)
        run = [STOP_NUMBER, STOP_NUMBER, *run]
        return run[-2], run[-1]

    def right(self, k: int) -> tuple[int, ...]:
        """The two word numbers from unit k on as the page has them."""
        if k >= len(self.units):
            return (STOP_NUMBER,)
        run = self.run(k, min(k + 2, len(self.units)))
        if self.units[k].stop:
            run.insert(0, STOP_NUMBER)
        return tuple(run[:2])

    def run(self, first: int, last: int) -> list[int]:
        """The word numbers of units, with the stops between them (none before the first)."""
        found: list[int] = []
        for k in range(first, last):
            if k > first and self.units[k].stop:
                found.append(STOP_NUMBER)
            found.append(self.entries[k].number)
        return found

    # --------------------------------------------------------------------------------------------------- decoding

    def proposals(self) -> list[tuple[Option, Proposal]]:
        """What the decoder prefers to the page, with what speaks for and against it."""
        found = [pair for first, lattice in self.stretches() for pair in self.decode(first, lattice)]
        return _supported(found, self.units)

    def stretches(self) -> Iterator[tuple[int, list[list[Option]]]]:
        """Stretches of units of which some have more than one reading: the first unit, the readings from each."""
        lattice: list[list[Option]] = []
        first, reach = 0, 0
        for k in range(len(self.units)):
            options = self.options(k)
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
        stops = [False, *(self.units[k].stop for k in range(first + 1, last))]
        path = best_path(self.language, lattice, stops, self.left(first), self.right(last), BOLD)
        for at, option in enumerate(path):
            if option.kind != "stay":
                yield option, self.weigh(path, at, lattice[option.first - first])

    def around(self, path: Sequence[Option], at: int) -> tuple[tuple[int, int], tuple[int, ...]]:
        """Two word numbers before and after a step of the path, as the path reads them."""
        option = path[at]
        before, after = self.left(option.first), self.right(option.last)
        if at and path[at - 1].numbers and not self.units[option.first].stop:
            before = (self.left(path[at - 1].first)[1], path[at - 1].numbers[-1])
        if at + 1 < len(path) and path[at + 1].numbers and not self.units[option.last].stop:
            after = (path[at + 1].numbers[0], *self.right(path[at + 1].last))
        return before, after[:2]

    def weigh(self, path: Sequence[Option], at: int, rivals: Sequence[Option]) -> Proposal:
        """What speaks for and against a step of the path."""
        option = path[at]
        before, after = self.around(path, at)
        language = self.language

        def worth(numbers: Sequence[int]) -> float:
            return score_run(language, before, (*numbers, *after))

        new = worth(option.numbers)
        gain = new - worth(self.run(option.first, option.last))
        odd = sum(self.odd(k) for k in range(option.first, option.last))
        others = [
            worth(o.numbers) - o.cost for o in rivals if o is not option and o.kind != "stay" and o.last == option.last
        ]
        lead = min(FAR, new - option.cost - max(others)) if others else FAR
        old = self.run(option.first, option.last)
        seen = (self.seen(before, old, after), self.seen(before, option.numbers, after))
        return self.proposal(option, gain, odd, lead, seen)

    def seen(self, before: tuple[int, int], numbers: Sequence[int], after: Sequence[int]) -> float:
        """How many of the two pairs that a reading makes with its neighbours the language has seen."""
        run = (before[1], *numbers, *after[:1])
        return float(self.language.seen(run[0], run[1])) + float(self.language.seen(run[-2], run[-1]))

    def proposal(self, option: Option, gain: float, odd: float, lead: float, seen: tuple[float, float]) -> Proposal:
        language = self.language
        span = self.units[option.first : option.last]
        entries = self.entries[option.first : option.last]
        unit, core = span[0], "".join(u.core for u in span)
        near = self.entries[max(0, option.first - 4) : option.first] + self.entries[option.last : option.last + 4]
        new_counts = [language.count(w) for w in option.words] or [0]
        return Proposal(
            gain=gain,
            cost=option.cost,
            odd=odd,
            lead=lead,
            known=float(all(e.known for e in entries)),
            old_count=log(1 + min(language.count(u.core) for u in span)),
            new_count=log(1 + min(new_counts)),
            old_here=_few(min(self.here[u.core] for u in span) - 1),
            new_here=_few(min((self.folded_here[w] for w in option.words), default=0)),
            length=float(len(core)),
            capital=float(core[0].isupper() and not unit.stop),
            upper=float(core.isupper()),
            name=max((language.capitalised(w) for w in option.words), default=0.0),
            stopped=float(span[-1].trail.startswith(".")),
            spelled=language.spelled(core) / (len(core) + 1),
            mark=float(not core.replace("-", "").replace("'", "").replace("’", "").isalpha()),
            around=sum(not e.known for e in near) / max(1, len(near)),
            noise=log(self.odd_share),
            join=float(option.kind == "join"),
            split=float(option.kind == "split"),
            drop=float(option.kind == "drop"),
            dirt=self.dirt,
            seen_old=seen[0],
            seen_new=seen[1],
            part=float(_shortest(option, [u.core for u in span])),
        )

    def corrections(self) -> Iterator[Correction]:
        """The proposals that the gate finds worth reporting, as notes on the text."""
        for option, proposal in self.proposals():
            cert = certainty(proposal)
            if proposal.known and self.alone(option):
                cert = min(cert, UNSUPPORTED)
            if cert >= REPORTED:
                correction = self.correction(option, cert, proposal)
                if correction is not None:
                    yield correction

    def alone(self, option: Option) -> bool:
        """True where no other word of the sentence stands beside what is read: nothing there speaks for a reading."""
        last = option.last
        return self.units[option.first].stop and (last == len(self.units) or self.units[last].stop)

    # ------------------------------------------------------------------------------------------------ the reading

    def correction(self, option: Option, cert: float, p: Proposal) -> Correction | None:
        """The proposal as a note on the text."""
        span = self.units[option.first : option.last]
        start, end = span[0].start, span[-1].end
        if option.kind == "drop":
            start, end = self.dropped(option.first)
        found = self.text[start:end]
        reads = self.cased("".join(u.core for u in span), option.words, span[0])
        if reads == found:
            return None
        spacing = option.kind in ("join", "split")
        rule = {"join": "broken word", "split": "joined words", "drop": "stray mark"}.get(
            option.kind, "dictionary in context"
        )
        if option.kind == "word" and p.mark:
            rule = "stray mark"
        return Correction(
            start=start,
            end=end,
            found=found,
            reads=reads,
            kind=CorrectionKind.SPACING if spacing else CorrectionKind.MISREADING,
            rule=rule,
            cert=round(cert, 3),
            evidence=self.evidence(found, reads, p),
        )

    def dropped(self, k: int) -> tuple[int, int]:
        """A mark's span with the points that cling to it and one space."""
        unit = self.units[k]
        start, end = unit.start - len(unit.lead), unit.end + len(unit.trail)
        if self.text[end : end + 1] == " ":
            return start, end + 1
        return start, end

    def evidence(self, found: str, reads: str, p: Proposal) -> str:
        """The reason in a few words: how much likelier the reading is, and which letters were misread for which."""
        said = "a word elsewhere" if p.known else "no known word"
        faults = [f"{_shown(m)} for {_shown(t)}" for m, t in blocks(fold(found), fold(reads))]
        shown = ", ".join(faults) or "its capitals"
        if not reads:
            return f"a mark that is no word, {_times(p.margin)} likelier a speck"
        return f"'{reads}' is {_times(p.margin)} likelier here than '{found}' ({said}): {shown}"

    def cased(self, core: str, words: Sequence[str], unit: Unit) -> str:
        """The reading in the case of what stands there."""
        reads = " ".join("I" if w == "i" else w for w in words)
        if "’" in core:
            reads = reads.replace("'", "’")
        letters = [c for c in core if c.isalpha()]
        if len(letters) > 1 and all(c.isupper() for c in letters):
            return reads.upper()
        capital = bool(letters) and core[0].isalpha() and core[0].isupper()
        # A stop stands before a word that begins with a mark, a figure or an l for an I: its capital was misread.
        lost = unit.stop and bool(core) and (not core[0].isalpha() or (core[0] == "l" and reads[:1] == "i"))
        return reads[:1].upper() + reads[1:] if capital or lost else reads


_KEPT: dict[int, _Words] = {}


def _words_of(language: Language) -> _Words:
    words = _KEPT.get(id(language))
    if words is None or words.language is not language:
        words = _KEPT[id(language)] = _Words(language)
    return words


def proposals(text: str, language: Language) -> Iterator[tuple[int, int, str, Proposal]]:
    """What the decoder prefers to a text, the gate unasked: start, end, folded reading, what speaks for it."""
    this = _Text(text, _words_of(language), estimate_noise(text, language))
    for option, proposal in this.proposals():
        span = this.units[option.first : option.last]
        yield span[0].start, span[-1].end, " ".join(option.words), proposal


def correct_words(text: str, language: Language, noise: float, year: int | None = None) -> tuple[Correction, ...]:
    """Corrections of misread words, spaces and stray marks, their offsets those of `text`, in order and apart.

    `text` is a text without furniture and line-end hyphens, `noise` the estimated share of its characters misread (0 to
    1, `words_noise.estimate_noise`), `year` that of the print: early spelling is kept, and where no year is given the
    text itself shows it. Each correction's `cert` says how sure the gate is; the caller decides from what certainty on
    it applies.
    """
    this = _Text(text, _words_of(language), noise, year)
    found = list(this.corrections())
    taken = {at for c in found for at in (c.start, c.end - 1)}
    found += [c for c in point_corrections(text, this.units, language, this.misread(noise)) if c.start not in taken]
    return tuple(sorted(found, key=lambda c: c.start))
