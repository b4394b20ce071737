"""The keys of a witness, beside those of model.py: ids in TEI, tables and reading edition, the same from run to run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from variorum.model import Clause, Page, Witness, law_key


def slug(text: str) -> str:
    """The ASCII letters and digits of a text, hyphens where others stood between them."""
    return "-".join(re.findall("[A-Za-z0-9]+", text))


class Keys:
    """The ids of one witness: of its laws and clauses (by model.law_key) and of its pages; letters, digits and hyphens.

    `targets` maps a law id, or a law id and clause labels joined by dots, to the xml:id of that law or clause.
    """

    def __init__(self, witness: Witness, pages: Iterable[Page]) -> None:
        self._siglum = witness.siglum
        self._given = {law_key(witness.siglum, law.id) for law in witness.laws}
        self._times: dict[str, int] = {}
        self._clauses: dict[int, str] = {}
        targets = {law.id: law_key(witness.siglum, law.id) for law in witness.laws}
        for law in witness.laws:
            self._name_clauses(law.clauses, law.id, targets[law.id], targets)
        self.targets: Mapping[str, str] = targets
        self._pages = {page.n: self._page(page) for page in pages}

    def _unused(self, key: str) -> str:
        free = key
        while free in self._given:
            self._times[key] = n = self._times.get(key, 1) + 1
            free = f"{key}-{n}"
        self._given.add(free)
        return free

    def _name_clauses(self, clauses: tuple[Clause, ...], target: str, key: str, targets: dict[str, str]) -> None:
        for position, clause in enumerate(clauses, 1):
            own = self._unused(f"{key}-{slug(clause.label) or position}")
            self._clauses[id(clause)] = own
            path = f"{target}.{clause.label}"
            targets.setdefault(path, own)
            self._name_clauses(clause.clauses, path, own, targets)

    def _page(self, page: Page) -> str:
        # An unnumbered page is known by its place; "i" keeps it apart from a folio of the same figure.
        return self._unused(f"{self._siglum}-pb{slug(page.folio) or f'i{page.n}'}")

    def clause(self, clause: Clause) -> str:
        """The id of a clause of this witness."""
        return self._clauses[id(clause)]

    def page(self, page: Page) -> str:
        """The id of a page of this witness."""
        return self._pages[page.n]

    def other(self, name: str) -> str:
        """An id for anything else, unlike every one given before."""
        return self._unused(f"{self._siglum}-{name}")
