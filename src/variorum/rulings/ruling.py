"""What a ruling on words is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

RULE = "ruling"  # the family of rules that an editor's corrections are of


class Verdict(StrEnum):
    """What an editor says of a place."""

    ACCEPT = "accept"  # what the program suggests there is right
    REJECT = "reject"  # the page is right: nothing is to be corrected there
    READ = "read"  # the machine misread it: read so
    EMEND = "emend"  # the printer erred: read so


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict on the words `found` of a witness's raw text, or on all places where they stand (`everywhere`).

    `before` and `after` are what is quoted round them, white space as single spaces. `reads` is the reading, "" to take
    the words out; None with `reject`, and with an `accept` that leaves the reading to the program. `by` names the
    editor and `note` gives his reason, both may be ""; `line` is the line of the file where the ruling stands.
    """

    verdict: Verdict
    before: str
    found: str
    after: str
    reads: str | None
    everywhere: bool = False
    by: str = ""
    note: str = ""
    line: int = 0

    @property
    def rule(self) -> str:
        """The name under which its corrections go."""
        return f"{RULE}: {self.by}" if self.by else RULE

    @property
    def outcome(self) -> tuple[str, str | None]:
        """What it comes to, whoever ruled: two rulings on one place are at odds where this differs."""
        return self.verdict.value, self.reads
