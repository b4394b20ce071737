"""What can stop us. Every error says where, what, and the way out; doubt is a Finding, never an exception."""

from __future__ import annotations


class VariorumError(Exception):
    """Something that stops the work on one file or one witness.

    `where` names the file, line or siglum; `what` says what is wrong; `remedy` says what the user can do about it.
    """

    def __init__(self, where: str, what: str, remedy: str = "") -> None:
        super().__init__(where, what, remedy)
        self.where = where
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        line = f"{self.where}: {self.what}" if self.where else self.what
        return f"{line}; {self.remedy}" if self.remedy else line


class ManifestError(VariorumError):
    """The manifest, or a ruling, cannot be used; `problems` holds every mistake found, in the order of the lines.

    `where` is the file, or "" where the problems name their files themselves.
    """

    def __init__(self, where: str, problems: tuple[str, ...]) -> None:
        super().__init__(where, "\n".join(problems))
        self.problems = problems

    def __str__(self) -> str:
        before = f"{self.where}: " if self.where else ""
        return "\n".join(before + problem for problem in self.problems)


class SourceError(VariorumError):
    """A witness's file is missing, unreadable or empty."""


class ModelError(VariorumError, ValueError):
    """A value that would break an invariant of the model was refused at birth: always a fault of the caller."""


class EncodingError(VariorumError):
    """What we were about to write is not valid TEI; nothing was written."""
