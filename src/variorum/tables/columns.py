"""The data dictionary: every table, every column, what it holds. The frames are built from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Kind = Literal["str", "int", "float", "bool", "int?", "float?"]
"""What the cells of a column hold; with a question mark, a cell may also be empty."""

EACH_WITNESS = "*"
UNSURE = 0.75  # below it more than one correction in four is wrong, if the certainties are right


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its name (EACH_WITNESS for one column a siglum), what it means, what its cells hold."""

    name: str
    meaning: str
    kind: Kind = "str"


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what one row stands for, its columns in order, and how many of the first ones name a row."""

    meaning: str
    columns: tuple[Column, ...]
    keys: int = 0

    def named(self, sigla: Iterable[str]) -> dict[str, Column]:
        """Column by name, with one column a siglum in the place of EACH_WITNESS.

        A siglum that is also the name of a column ("work") is called "witness work".
        """
        named: dict[str, Column] = {}
        for column in self.columns:
            if column.name == EACH_WITNESS:
                named |= {self.witness(siglum): column for siglum in sigla}
            else:
                named[column.name] = column
        return named

    def witness(self, siglum: str) -> str:
        """The name of a witness's column."""
        return f"witness {siglum}" if any(siglum == column.name for column in self.columns) else siglum


_WORK = Column("work", "id of the work, as in the manifest")
_LOCUS = Column("locus", "key of the locus: the xml:id of its div in the work's collation file")
_START = Column("start", "where the span begins: code points from the start of the witness's raw text (NFC)", "int")
_END = Column("end", "where the span ends, the first code point after it", "int")
_PAGE = Column("page", "running number of the page image in the witness; empty where it has none")
_FOLIO = Column("folio", "number printed on the page; empty where none is known")
_LINE = Column("line", "line of the raw file, counted from 1", "int")
_LAW = Column("law", "key of the law: the xml:id of its div in the witness's edition file; empty outside every law")
_RELATION = Column(
    "relation", "how the laws of the locus stand to each other: same, revised, split, merged, recast, only"
)
_MOVED = Column("moved", "whether a witness has the law at another place of its order than the others", "bool")

TABLES: Mapping[str, Table] = MappingProxyType(
    {
        "concordance": Table(
            "One row a locus: which law of each edition it is.",
            (
                _WORK,
                _LOCUS,
                Column(
                    EACH_WITNESS,
                    "numbers of the witness's laws that stand at the locus, joined by ' + ' (SW.3 where a count"
                    " restarts in a section); empty where the witness has no such law or belongs to another work",
                ),
                _RELATION,
                _MOVED,
                Column("cert", "certainty of the locus, 0 to 1", "float"),
                Column("evidence", "why these laws were put together"),
            ),
            2,
        ),
        "synopsis": Table(
            "One row a locus: the full texts side by side.",
            (
                _WORK,
                _LOCUS,
                _RELATION,
                Column(
                    EACH_WITNESS,
                    "repaired text of the witness's laws at the locus with their clauses, a line a law; empty where the"
                    " witness has no such law or belongs to another work",
                ),
            ),
            2,
        ),
        "presence": Table(
            "One row a locus: which editions have the law, and where in their order it stands.",
            (
                _WORK,
                _LOCUS,
                Column(
                    EACH_WITNESS,
                    "place of the witness's laws at the locus among all its laws, counted from 1 in reading order,"
                    " joined by ' + '; empty where the witness has no such law or belongs to another work",
                ),
                _MOVED,
                Column("witnesses", "number of witnesses that have the law", "int"),
                Column("of", "number of witnesses of the work", "int"),
                Column("first", "siglum of the earliest dated witness that has the law; empty where none is dated"),
                Column("last", "siglum of the latest dated witness that has the law; empty where none is dated"),
            ),
            2,
        ),
        "register": Table(
            "One row a law of a witness, in reading order.",
            (
                Column("witness", "siglum of the witness"),
                _LAW,
                Column("number", "true number of the law"),
                Column("label", "number as the page has it; empty where it is lost"),
                Column("section", "heading under which the law stands"),
                _LOCUS,
                _PAGE,
                _FOLIO,
                _LINE,
                Column("cert", "certainty of the number, 0 to 1", "float"),
                Column("words", "number of words with those of the clauses", "int"),
                Column("clauses", "number of lettered parts, at every depth", "int"),
                Column("text", "repaired text of the law and its clauses"),
                Column("notes", "remarks on the law, a line each"),
                Column("gaps", "why text is lost here: truncated, illegible; empty where nothing is"),
                _START,
                _END,
            ),
            2,
        ),
        "variants": Table(
            "One row a reading: the readings of one variation unit stand together, the lemma first.",
            (
                _WORK,
                _LOCUS,
                Column("unit", "key of the variation unit: the xml:id of its app in the work's collation file"),
                Column("kind", "sort of difference: punctuation, spelling, wording, omission ..."),
                Column("class", "accidental (spelling, capitals, points) or substantive (sense)"),
                Column("before", "up to five words and points that precede the place in the lemma's first witness"),
                Column("lemma", "what the base witness has; empty where it has no words here"),
                Column("reading", "what these witnesses have; empty unless the state is text"),
                Column("state", "text, omission (no such words), lacuna (words lost), absent (no such law)"),
                Column("witnesses", "sigla of the witnesses with this reading, parted by spaces"),
                Column("is_lemma", "whether this reading is the lemma", "bool"),
            ),
            3,
        ),
        "changes": Table(
            "One row a change of rule: where a player holding one text would act otherwise than one holding the other.",
            (
                _WORK,
                _LOCUS,
                Column("laws", "numbers of the laws by siglum"),
                Column("kind", "what it touches: quantity, modality, agent, penalty, condition, scope, procedure ..."),
                Column("op", "added, dropped or altered"),
                Column("of_rule", "whether conduct changes; no for a mere change of term", "bool"),
                Column(
                    "first",
                    "siglum of the earliest dated witness that has these other words; empty where none is dated",
                ),
                Column(EACH_WITNESS, "words of the witness that show it; empty where it has none"),
                Column("sentence", "the change in one plain sentence"),
                Column("cert", "certainty of the change, 0 to 1", "float"),
            ),
            2,
        ),
        "similarity": Table(
            "One row a witness: how far its words agree with those of each other witness.",
            (
                _WORK,
                Column("witness", "siglum of the witness of the row"),
                Column(
                    EACH_WITNESS,
                    "agreement with the witness of the row, 0 to 1, over the loci where both have laws: words of both"
                    " that stand in one column of the collation and are equal as compared, divided by all words of"
                    " both; empty where the two have no locus in common",
                    "float?",
                ),
            ),
            2,
        ),
        "shared_variants": Table(
            "One row a witness and class: at how many places of difference it goes with each other witness.",
            (
                _WORK,
                Column("class", "accidental (spelling, capitals, points) or substantive (sense)"),
                Column("witness", "siglum of the witness of the row"),
                Column(
                    EACH_WITNESS,
                    "number of variation units in which it has the same reading as the witness of the row while"
                    " another witness has another; beside itself, the number of units in which it has a reading."
                    " Misreadings of the machine, lost words, wanting laws and laws recast as a whole are not counted;"
                    " empty where it belongs to another work",
                    "int?",
                ),
            ),
            3,
        ),
        "words": Table(
            "One row a spelling of a word of the laws: how often each witness has it.",
            (
                _WORK,
                Column("word", "the word as compared, in its commonest form; spellings of one word have the same"),
                Column("spelling", "the word as printed"),
                Column("spellings", "number of spellings of the word without regard to capitals", "int"),
                Column("count", "number of times the spelling occurs in the work", "int"),
                Column(
                    EACH_WITNESS,
                    "number of times the witness has the spelling; empty where it belongs to another work",
                    "int?",
                ),
            ),
            3,
        ),
        "corrections": Table(
            "One row a correction: what the page says, what is read there, and why.",
            (
                Column("witness", "siglum of the witness"),
                _PAGE,
                _FOLIO,
                _LINE,
                _LAW,
                Column("found", "what the page says, as the raw file has it"),
                Column("reads", "what the edition reads instead; empty where the characters are taken out"),
                Column("kind", "misreading, break, spacing, furniture, encoding or emendation"),
                Column("role", "of furniture: header, pageNum, catch or sig"),
                Column("rule", "name of the rule that proposed it"),
                Column("decided", "who decided: program, file (stated by the source), or the editor's name"),
                Column("cert", "certainty of the correction, 0 to 1", "float"),
                Column("evidence", "reason in a few words"),
                Column("image", "name of the page's image; empty where the source names none"),
                Column("box", "left, top, right and bottom of the words on that image, in pixels; empty where unknown"),
                _START,
                _END,
            ),
            1,
        ),
        "rulings": Table(
            "One row a place that an editor's ruling has decided.",
            (
                Column("witness", "siglum of the witness"),
                _PAGE,
                _FOLIO,
                _LINE,
                _LAW,
                Column("verdict", "accept, reject, read or emend"),
                Column("found", "words ruled on, as the raw file has them"),
                Column("reads", "what is read instead; empty where the page stands or the words are taken out"),
                Column("by", "name of the editor; empty where the ruling is unsigned"),
                Column("note", "the editor's reason"),
                Column("ruling", "line of the file of rulings", "int"),
                _START,
                _END,
            ),
            1,
        ),
        "findings": Table(
            "One row a doubt to be read by the editor.",
            (
                Column("witness", "siglum of the witness; empty where the whole corpus is meant"),
                Column("code", "short stable name of the sort of doubt"),
                Column("message", "the doubt in one plain sentence"),
                Column("problem", "whether the command ends with exit code 3 because of it", "bool"),
                _PAGE,
                Column("line", "line of the raw file, counted from 1; empty where the whole witness is meant", "int?"),
                _LAW,
                Column("found", "what the page says there"),
                Column("candidates", "readings thought of and not applied, parted by ' | '"),
                _START,
                _END,
            ),
            1,
        ),
        "witnesses": Table(
            "One row a witness: what it is, where it comes from, what was found in it.",
            (
                Column("witness", "siglum of the witness"),
                _WORK,
                Column("base", "whether it is the base witness of its work", "bool"),
                Column("title", "title of the edition; empty where unknown"),
                Column("title_status", "stated by the source, inferred by the editor, or unknown"),
                Column("author", "author; empty where unknown"),
                Column("author_status", "stated, inferred or unknown"),
                Column("publisher", "publisher; empty where unknown"),
                Column("publisher_status", "stated, inferred or unknown"),
                Column("not_before", "earliest year; empty where unknown", "int?"),
                Column("not_after", "latest year; empty where unknown", "int?"),
                Column("date_status", "stated, inferred or unknown"),
                Column("origin", "where the text was got from"),
                Column("licence", "terms under which it may be used"),
                Column("remark", "remark of the editor"),
                Column("file", "name of the raw file"),
                Column("sha256", "checksum of the raw file's bytes"),
                Column("encoding", "character encoding of the raw file"),
                Column("characters", "length of the raw text in code points", "int"),
                Column("pages", "number of page images", "int"),
                Column("laws", "number of laws found", "int"),
                Column("words", "number of words in the laws", "int"),
                Column("noise", "estimated share of characters misread, 0 to 1", "float"),
                Column(
                    "doubtful",
                    "share of the words of the laws, 0 to 1, that have a reading suggested and not applied, or a"
                    f" correction less certain than {UNSURE}",
                    "float",
                ),
                Column("corrections", "number of corrections of every kind but furniture", "int"),
                Column("misreadings", "number of corrected misreadings of the machine", "int"),
                Column("breaks", "number of words put together over a line end", "int"),
                Column("spacings", "number of places where spaces were set right", "int"),
                Column("furniture", "number of running heads, folios, catchwords, signatures taken out", "int"),
                Column("encodings", "number of places where the file's encoding was set right", "int"),
                Column("emendations", "number of the printer's faults mended by an editor's ruling", "int"),
                Column("findings", "number of doubts", "int"),
            ),
            1,
        ),
        "columns": Table(
            "One row a column: the data dictionary.",
            (
                Column("table", "name of the table"),
                Column("column", "name of the column"),
                Column("holds", "sort of value: text, whole number, number, yes or no; what may be empty"),
                Column("meaning", "what the column holds"),
            ),
            2,
        ),
    }
)

HOLDS: Mapping[Kind, str] = MappingProxyType(
    {
        "str": "text",
        "int": "whole number",
        "float": "number",
        "bool": "yes or no",
        "int?": "whole number or empty",
        "float?": "number or empty",
    }
)
