"""The forms of a language as they are met: what is known of each, and what else it may have been."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from variorum.language.running import fold
from variorum.repair.words_candidates import Candidates, Pair, is_mark
from variorum.repair.words_units import LONGEST
from variorum.repair.words_variants import early_forms, same_inflected, same_spelled

if TYPE_CHECKING:
    from variorum.language.confusions import Confusions
    from variorum.language.model import Language

_HALF_DIGIT = re.compile(r"[a-z][0158]|[0158][a-ceg-rt-z]")  # t0, 8o; not 1s. and 5d.
KNOWN_BOUND = 10.0  # a word is read as another only along one confusion this cheap
OTHER_FLOOR = 20  # counts below this are too rare to replace a word that is one
SPELLED = 1.0  # weight of the letters of an unknown word
LIKE_I = ("1", "l")  # what an I alone is read as
LIKE_I_COST = 4.0
REMEMBERED = 1 << 17


@dataclass(slots=True)
class Form:
    """What is known of a form of word, whatever its place."""

    number: int
    known: bool
    fixed: bool  # never to be touched
    odd: float
    others: list[tuple[str, int, float]]  # reading, its number, cost

    accented: bool = False  # in print a foreign word or name, on a noisy page more likely a letter misread


class Forms:
    """The forms of a language, remembered from text to text; `learned` and `base` as those of its candidates."""

    def __init__(
        self, language: Language, learned: Mapping[Pair, float] | None = None, base: Forms | None = None
    ) -> None:
        self.language = language
        self.candidates: Candidates = Candidates(language, learned, base.candidates if base else None)
        self.points: dict[str, list[tuple[str, float]]] = base.points if base else _points(language.confusions)
        self._entries: dict[str, Form] = {}
        self._early: dict[str, bool] = {}

    def entry(self, core: str) -> Form:
        """What is known of a form, as it stands."""
        found = self._entries.get(core)
        if found is None:
            if len(self._entries) > REMEMBERED:
                self._entries.clear()
            found = self._entries[core] = self._look(core)
        return found

    def _look(self, core: str) -> Form:
        language = self.language
        known = language.known(core)
        number = self.number(core)
        if _untouchable(core):
            return Form(number, known, True, 0.0, [])
        odd = 0.0 if known else -SPELLED * language.spelled(core)
        accented = any(c > "\x7f" and c.isalpha() and c not in "ſæœﬁﬂﬀﬃﬄ" for c in core)
        return Form(number, known, False, odd, self._others(core, known), accented)

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
        if core in LIKE_I and "i" in language.index:
            return [("i", language.index["i"], LIKE_I_COST)]
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


def _points(confusions: Confusions) -> dict[str, list[tuple[str, float]]]:
    """For a sign that stands alone the points that it may have been, with costs."""
    found: dict[str, list[tuple[str, float]]] = {}
    for misread, row in confusions.by_misread.items():
        if len(misread) == 2 and misread[0] == " " and misread[1].isalnum():
            points = [(t, -log_p) for t, log_p in row if t in ("?", "!")]
            for sign in {misread[1], misread[1].upper()} if points else ():
                found[sign] = points
    return found


def _untouchable(core: str) -> bool:
    """Numbers, ordinals, other scripts, capitals alone and endless runs are left as they are."""
    if len(core) == 1:
        return not (is_mark(core) or core in LIKE_I or "a" < core <= "z")
    if len(core) > LONGEST:
        return True
    if _HALF_DIGIT.fullmatch(core):
        return False
    letters = sum(c.isalpha() for c in core)
    if letters < 2 or letters * 2 < len(core):
        return bool(letters) or len(core) > 3 or core.isalnum() or any(c.isdigit() for c in core)
    if any(c.isalpha() and c > "\u024f" and c not in "ﬁﬂﬀﬃﬄ" for c in core):
        return True
    return core[0].isdigit() and core.lstrip("0123456789").lower() in ("st", "nd", "rd", "th", "d", "s", "mo", "vo")


_KEPT: dict[int, Forms] = {}


def forms_of(language: Language) -> Forms:
    """The forms of a language, with all that was met before."""
    forms = _KEPT.get(id(language))
    if forms is None or forms.language is not language:
        forms = _KEPT[id(language)] = Forms(language)
    return forms
