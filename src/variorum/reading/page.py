"""From a work to its page: what the templates are filled with."""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files as resources
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from variorum.keys import Keys
from variorum.model import (
    Change,
    ChangeKind,
    Collated,
    Correction,
    Fact,
    Finding,
    Heading,
    Locus,
    Prose,
    Reading,
    Relation,
    State,
    Unit,
    Witness,
    Work,
    law_key,
    locus_key,
)
from variorum.reading.cells import KINDS, Page, brief, html, law_html, laws_at
from variorum.reading.likeness import Likeness, hundredths
from variorum.reading.pictures import UNDATED, by_year, pictures, year
from variorum.reading.svg import CLASSES

if TYPE_CHECKING:
    from jinja2 import Environment

    from variorum.manifest import Corpus

_WANTING = {State.OMISSION: "om.", State.LACUNA: "lost", State.ABSENT: "no such law"}
# Characters of text outside the laws, some forty pages, that a page takes in; more is a book round its laws.
OUTSIDE = 80_000
# Signs of likeness, with the share of words from which they hold. Reprints of one text lie above 0.9, two versions of
# one rule about 0.4, as in the two Écartés of the sample; a full moon is a law wholly alike.
MOONS = ((1.0, "●"), (0.9, "◕"), (0.7, "◑"), (0.4, "◔"), (0.0, "○"))
_RELATIONS = {
    Relation.SAME: ("=", "the same words"),
    Relation.REVISED: ("≈", "revised"),
    Relation.SPLIT: ("⋔", "split"),
    Relation.MERGED: ("⋎", "merged"),
    Relation.RECAST: ("≁", "recast in other words"),
    Relation.ONLY: ("◇", "in one edition only"),
}


def page_names(works: Iterable[Work]) -> dict[str, str]:
    """The file name of each work's page by the work's id; a work called "index" gives way to the index."""
    names: dict[str, str] = {}
    for work in works:
        stem = work.id
        while stem.lower() == "index" or f"{stem}.html" in names.values():
            stem += "-work"
        names[work.id] = f"{stem}.html"
    return names


# ---------------------------------------------------------------------------------------------------------- the page


def work_page(work: Work, findings: Iterable[Finding], corpus: Corpus) -> str:
    """The page of a work as HTML."""
    return _Filler(work, tuple(findings), corpus).page()


def index(works: Sequence[Work], witnesses: Sequence[Witness], findings: Iterable[Finding], corpus: Corpus) -> str:
    """The page that leads to the works of a corpus."""
    names = page_names(works)
    doubts = Counter(f.siglum for f in findings)
    style = _data("style.css")
    rows = [
        {
            "work": work,
            "page": names[work.id],
            "years": _years(work),
            "laws": sum(len(w.laws) for w in work.witnesses),
            "changes": sum(len({_wording(c) for c in x.changes if c.kind is not ChangeKind.TERM}) for x in work.loci),
        }
        for work in works
    ]
    return (
        _environment()
        .get_template("index.html")
        .render(
            corpus=corpus,
            works=rows,
            witnesses=[_witness(w, doubts[w.siglum]) for work in works for w in by_year(work)],
            page_of={w.siglum: names[work.id] for work in works for w in work.witnesses},
            apart=[w.siglum for w in witnesses if not any(w.siglum == x.siglum for k in works for x in k.witnesses)],
            style=Markup(style),
            policy=_policy(),
        )
    )


def _years(work: Work) -> str:
    years = [year(w) for w in by_year(work) if year(w) != UNDATED]
    if not years:
        return "years unknown"
    return years[0] if len(set(years)) == 1 else f"{years[0]} to {years[-1]}"


@cache
def _data(name: str) -> str:
    return resources("variorum.reading").joinpath("data", name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import DictLoader, Environment, StrictUndefined

    templates = {name: _data(name) for name in ("work.html", "index.html")}
    return Environment(
        loader=DictLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_made_seen,
    )


def _made_seen(value: Any) -> Any:
    return html(value) if type(value) is str else value


def _policy(script: str = "") -> str:
    """What the page may do: show itself, and run its own script if it has one. Nothing is ever asked for elsewhere."""
    own = f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" if script else "'none'"
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src {own}; base-uri 'none'; form-action 'none'"


def embedded(value: Any) -> Markup:
    """A value as JSON that may stand in a script element: no <, >, & and nothing outside ASCII, all of it escaped."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def _witness(witness: Witness, doubts: int) -> dict[str, Any]:
    imprint = witness.imprint
    corrections = witness.repair.corrections
    return {
        "siglum": witness.siglum,
        "year": year(witness),
        "year_status": imprint.date_status,
        "title": _fact(imprint.title, "title unknown"),
        "author": _fact(imprint.author, ""),
        "publisher": _fact(imprint.publisher, ""),
        "origin": imprint.origin,
        "licence": imprint.licence,
        "remark": imprint.remark,
        "laws": len(witness.laws),
        "noise": f"{100 * witness.repair.noise:.1f}",
        "corrections": len(corrections),
        "doubts": doubts,
    }


def _fact(fact: Fact, unknown: str) -> str:
    if not fact.value:
        return f"[{unknown}]" if unknown else ""
    return f"[{fact.value}]" if fact.status == "inferred" else fact.value


class _Filler:
    def __init__(self, work: Work, findings: tuple[Finding, ...], corpus: Corpus) -> None:
        self.work = work
        self.corpus = corpus
        self.findings = findings
        self.witnesses = by_year(work)
        self.place = {w.siglum: k for k, w in enumerate(self.witnesses)}
        self.likeness = Likeness(work)
        self.pages = {w.siglum: Page(w, findings) for w in self.witnesses}
        self.law = {(w.siglum, law.id): law for w in self.witnesses for law in w.laws}
        self.keys = {w.siglum: Keys(w, ()) for w in self.witnesses}

    def page(self) -> str:
        script = _data("reading.js")
        doubts = Counter(f.siglum for f in self.findings)
        counts = Counter(u.kind for c in self.work.loci for u in c.collation.units)
        changes = {c.locus.id: list(self._changes(c)) for c in self.work.loci}
        of_rule = [row for own in changes.values() for row in own if row["of_rule"]]
        return (
            _environment()
            .get_template("work.html")
            .render(
                work=self.work,
                corpus=self.corpus,
                base=self.place[self.work.base],
                witnesses=[_witness(w, doubts[w.siglum]) for w in self.witnesses],
                outside=[self._outside(w) for w in self.witnesses],
                kinds=[(k, kind, counts[kind]) for k, kind in enumerate(KINDS) if counts[kind]],
                accidental=sum(u.accidental for c in self.work.loci for u in c.collation.units),
                units=sum(counts.values()),
                loci=[self._locus(c) | {"changes": changes[c.locus.id]} for c in self.work.loci],
                of_rule=of_rule,
                of_term=[row for own in changes.values() for row in own if not row["of_rule"]],
                pictures=pictures(self.work, self.findings, self.likeness),
                moons=MOONS,
                relations=_RELATIONS.values(),
                style=Markup(_data("style.css") + CLASSES),
                script=Markup(script),
                policy=_policy(script),
                data=embedded(self._data()),
            )
        )

    # ----------------------------------------------------------------------------------------------------- one locus

    def _locus(self, collated: Collated) -> dict[str, Any]:
        locus = collated.locus
        key = locus_key(self.work.id, locus.id)
        sign, relation = _RELATIONS[locus.relation]
        return {
            "key": key,
            "id": locus.id,
            "sides": [(w.siglum, self._numbers(locus, w)) for w in self.witnesses if w.siglum in locus.laws],
            "sign": sign,
            "relation": relation,
            "moved": locus.moved,
            "alone": locus.relation is Relation.ONLY,
            "cert": f"{100 * locus.cert:.0f}",
            "evidence": locus.evidence,
            "grid": [self._cell(locus, w) for w in self.witnesses],
            "texts": [self._text(collated, w) for w in self.witnesses],
            "units": self._units(collated, key),
            "count": len(collated.collation.units),
        }

    def _numbers(self, locus: Locus, witness: Witness) -> str:
        return " + ".join(self._number(witness, i) for i in locus.laws.get(witness.siglum, ()))

    def _number(self, witness: Witness, law_id: str) -> str:
        """The true number of a law, or its id where counts restart."""
        return law_id if "." in law_id else self.law[witness.siglum, law_id].number

    def _cell(self, locus: Locus, witness: Witness) -> dict[str, Any]:
        ids = locus.laws.get(witness.siglum, ())
        share = self.likeness.at(locus.id, self.work.base, witness.siglum) if ids else None
        return {
            "laws": [(law_key(witness.siglum, i), self._number(witness, i)) for i in ids],
            "moon": moon(share),
            "step": step(share),
            "said": "" if share is None else str(hundredths(share)),
        }

    def _text(self, collated: Collated, witness: Witness) -> dict[str, Any]:
        laws = laws_at(collated, witness)
        return {
            "siglum": witness.siglum,
            "year": year(witness),
            "numbers": self._numbers(collated.locus, witness),
            "html": law_html(collated, witness, self.keys[witness.siglum]) if laws else "",
            "raw": self._raw(witness, [(law.start, law.end) for law in laws]),
        }

    def _raw(self, witness: Witness, spans: Sequence[tuple[int, int]]) -> Markup:
        page = self.pages[witness.siglum]
        out, count, doubts = Markup(""), 0, 0
        for start, end in spans:
            corrections, findings = page.corrections(start, end), page.findings(start, end)
            count, doubts = count + len(corrections), doubts + len(findings)
            out += Markup('<p class="page" dir="auto">{}</p>').format(page.html(start, end))
            if corrections:
                out += Markup("<ol>{}</ol>").format(Markup("").join(map(_correction, corrections)))
            if findings:
                out += Markup("<ul>{}</ul>").format(Markup("").join(_doubt(f, page.raw) for f in findings))
        if not spans:
            return out
        said = f"{count or 'no'} correction{'s' * (count != 1)}" + (
            f", {doubts} doubt{'s' * (doubts != 1)}" if doubts else ""
        )
        return Markup("<details><summary>Raw OCR: {}</summary>{}</details>").format(said, out)

    # ------------------------------------------------------------------------------------------------- the apparatus

    def _units(self, collated: Collated, key: str) -> Markup:
        return Markup("").join(
            self._unit(unit, n, f"{key}-{unit.id}") for n, unit in enumerate(collated.collation.units, 1)
        )

    def _unit(self, unit: Unit, n: int, key: str) -> Markup:
        name = f"u k{KINDS.index(unit.kind)} {'a' if unit.accidental else 'b'}"
        return Markup('<li class="{}" id="{}" data-u="{}"><a href="#{}">{}</a> {} <i class="k">{}</i></li>').format(
            name, key, n, key, n, Markup(" ").join(map(self._reading, unit.readings)), unit.kind.value
        )

    def _reading(self, reading: Reading) -> Markup:
        if reading.state is State.TEXT:
            words = Markup("<bdi>{}</bdi>").format(html(brief(reading.text)))
        else:
            words = Markup("<em>{}</em>").format(_WANTING[reading.state])
        places = sorted(self.place[s] for s in reading.witnesses)
        sigla = " ".join(self.witnesses[k].siglum for k in places)
        name = "r lem" if self.work.base in reading.witnesses else "r"
        return Markup('<span class="{}" data-w="{}">{} <i>{}</i></span>').format(
            name, " ".join(map(str, places)), words, sigla
        )

    def _changes(self, collated: Collated) -> Iterator[dict[str, Any]]:
        """The changes at a locus; editions that depart from the same one in the same words stand together."""
        key = locus_key(self.work.id, collated.locus.id)
        alike: dict[object, list[tuple[str, Change]]] = {}
        for n, change in enumerate(collated.changes, 1):
            alike.setdefault(_wording(change), []).append((f"{key}-c{n:02}", change))
        return (self._change(group, collated.locus, key) for group in alike.values())

    def _change(self, group: Sequence[tuple[str, Change]], locus: Locus, key: str) -> dict[str, Any]:
        named, change = group[0]
        against, *others = change.readings
        also = sorted({s for _, c in group for s in c.readings} - {against, *others}, key=self.place.__getitem__)
        changed = min((self.place[s] for s in (*others, *also)), default=0)
        first = self.witnesses[changed]
        return {
            "key": named,
            "keys": [key for key, _ in group[1:]],
            "locus": key,
            "id": locus.id,
            "kind": change.kind.value,
            "op": change.op,
            "of_rule": change.kind is not ChangeKind.TERM,
            "sentence": change.sentence,
            "also": also,
            "since": f"{first.siglum}, {year(first)}" if year(first) != UNDATED else "",
            "cert": f"{100 * min(c.cert for _, c in group):.0f}",
        }

    # -------------------------------------------------------------------------------------------- outside the laws

    def _outside(self, witness: Witness) -> dict[str, Any]:
        """What stands in no law; of a whole book only its beginning."""
        blocks, left = [], OUTSIDE
        for block in witness.segmented.blocks:
            if isinstance(block, Heading | Prose) and block.text and left > 0:
                cut = block.text if len(block.text) <= left else block.text[:left] + " …"
                blocks.append((cut, isinstance(block, Heading)))
                left -= len(block.text)
        spans = list(_between(witness))
        short = left >= 0 and sum(end - start for start, end in spans) <= OUTSIDE
        return {"blocks": blocks, "raw": self._raw(witness, spans) if short else "", "short": short}

    def _data(self) -> dict[str, Any]:
        sigla = [w.siglum for w in self.witnesses]
        return {
            "work": self.work.title,
            "corpus": self.corpus.title,
            "publisher": self.corpus.publisher,
            "date": self.corpus.date,
            "base": self.place[self.work.base],
            "moons": [(hundredths(least), sign) for least, sign in MOONS],
            "sigla": sigla,
            "years": ["" if year(w) == UNDATED else year(w) for w in self.witnesses],
            "titles": [_cited(w) for w in self.witnesses],
            "likeness": [
                [self._hundredths(c.locus.id, a, b) for k, a in enumerate(sigla) for b in sigla[k + 1 :]]
                for c in self.work.loci
            ],
        }

    def _hundredths(self, locus: str, a: str, b: str) -> int:
        share = self.likeness.at(locus, a, b)
        return -1 if share is None else hundredths(share)


def _between(witness: Witness) -> Iterator[tuple[int, int]]:
    """The spans of the raw text before, between and after the laws that hold more than white space."""
    raw, at = witness.repair.raw, 0
    for start, end in [*((law.start, law.end) for law in witness.laws), (len(raw), len(raw))]:
        if raw[at:start].strip():
            yield at, start
        at = end


def moon(share: float | None) -> str:
    """The sign of a likeness; none where there is no such law."""
    return "" if share is None else next(sign for least, sign in MOONS if share >= least)


def step(share: float | None) -> str:
    """The step of a likeness on the scale of colours, 0 (alike in everything) to 4; "x" where there is no such law."""
    return "x" if share is None else str(next(k for k, (least, _) in enumerate(MOONS) if share >= least))


def _wording(change: Change) -> object:
    """What is the same for changes that set other editions against the same one in the same words."""
    against, *_ = change.readings
    return change.kind, change.op, against, tuple(words.casefold() for words in change.readings.values())


def _correction(c: Correction) -> Markup:
    reads = Markup("<ins>{}</ins>").format(html(c.reads)) if c.reads else Markup("<em>taken out</em>")
    return Markup("<li><del>{}</del> → {} <i>{}, {} %: {}</i></li>").format(
        html(c.found), reads, c.kind.value, f"{100 * c.cert:.0f}", html(c.evidence or c.rule)
    )


def _doubt(finding: Finding, raw: str) -> Markup:
    thought = f" Thought of: {', '.join(finding.candidates)}." if finding.candidates else ""
    return Markup("<li>Doubt at “{}”: {}</li>").format(
        html(brief(raw[finding.start : finding.end])), html(finding.message + thought)
    )


def _cited(witness: Witness) -> str:
    imprint = witness.imprint
    when = year(witness) if imprint.date_status != "inferred" else f"[{year(witness)}]"
    facts = [_fact(imprint.author, ""), _fact(imprint.title, "title unknown"), _fact(imprint.publisher, ""), when]
    return ", ".join(fact for fact in facts if fact)
