# ---
# jupyter:
#   jupytext:
#     cell_markers: '"""'
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---


# %% [markdown]
"""
# What became of one law

At écarté the cards are dealt by threes and twos, and hands go wrong. What then? Law 6 of one edition, with the
siglum **EcA**, is about a deal with too many cards or too few. I have a second edition of the game, **EcB**. Is the
law in it, under which number, in which words, and would a player holding the one book act otherwise than a player
holding the other?
"""

# %%
import html
from pathlib import Path

import pandas as pd
from IPython.display import HTML, display

import variorum
from variorum.reading import pictures

pd.set_option("display.max_colwidth", None)
corpus = next(folder / "corpus" for folder in (Path.cwd(), Path.cwd().parent) if (folder / "corpus").is_dir())
edition = variorum.edit(corpus)
work = next(work for work in edition.works if work.id == "ecarte")

# %% [markdown]
"""
## Where it stands

A number is not the identity of a law: editions renumber, reorder, split and merge. So the laws are matched by what
they say, and the place in which they meet is called a *locus*. The concordance has a row for each locus.
"""

# %%
concordance = edition.tables["concordance"]
here = concordance[(concordance["work"] == "ecarte") & (concordance["EcA"] == "6")]
display(here[["locus", "EcA", "EcB", "relation", "moved", "cert", "evidence"]])
locus = here["locus"].item()
assert here["relation"].item() == "split"

# %% [markdown]
"""
The law is there, but as two: the matter of law 6 stands in laws 7 and 9 of the other edition. The column *evidence*
says why they were put together, and *cert* how sure that is. A machine found this; a reader must agree with it. The
picture shows the whole order of both editions; follow the band that forks.
"""

# %%
drawn = {picture.name: picture for picture in pictures(work, edition.findings)}
HTML(drawn["ecarte-laws"].file())

# %% [markdown]
"""
## The texts side by side

The synopsis gives the full texts, a line for each law.
"""

# %%
synopsis = edition.tables["synopsis"].set_index("locus")


def side_by_side(key: str, *sigla: str) -> HTML:
    """The texts of a locus in columns."""
    columns = []
    for siglum in sigla:
        laws = "".join(f"<p>{html.escape(law)}</p>" for law in synopsis.loc[key, siglum].split("\n"))
        columns.append(
            f'<div style="flex: 1; padding: 0 1em"><h4>{siglum}</h4>{laws or "<p><em>no such law</em></p>"}</div>'
        )
    return HTML(f'<div style="display: flex; max-width: 60em; line-height: 1.4">{"".join(columns)}</div>')


side_by_side(locus, "EcA", "EcB")

# %% [markdown]
"""
The two are written anew, not edited: to set word against word here would give a list of differences as long as the
laws, and none of them would mean anything. The apparatus says so, and has the two texts as whole readings of one
unit:
"""

# %%
variants = edition.tables["variants"]
variants.loc[variants["locus"] == locus, ["unit", "kind", "class", "witnesses"]]

# %% [markdown]
"""
## Did the rule change?

The question is not whether the words differ but whether the players' conduct does. The table of changes names what
is touched, and quotes the words on which it rests. A mere change of name (the *Talon* is the *stock*) is kept
apart.
"""

# %%
changes = edition.tables["changes"]
changes.loc[changes["locus"] == locus, ["kind", "op", "of_rule", "EcA", "EcB", "sentence", "cert"]]

# %% [markdown]
"""
Now I go back to the texts with these sentences in hand, as one must. In EcA, where the dealer has too few cards,
the adversary may let him complete his hand *or call a new deal*; in EcB he may let him supply the deficiency *or
oblige him to lose the deal*. Those are different penalties, and the table is right. That EcB mends a misdeal *by
restoring the cards to the order in which they would have fallen* is a procedure EcA does not lay down.

What a table cannot say is whether the silence of one book is a change. EcA may take for granted what EcB writes
down. A change that is *added* or *dropped* is a question, and only one that is *altered* sets two statements
against each other.
"""

# %%
ours = changes[changes["work"] == "ecarte"]
display(ours.pivot_table(index="kind", columns="op", values="locus", aggfunc="count", fill_value=0))
assert set(ours.loc[ours["locus"] == locus, "op"]) >= {"altered"}

# %% [markdown]
"""
## Which edition first let the adversary call a new deal?

The same tables answer a question asked in words. Where do the laws speak of a new deal at all?
"""

# %%
texts = edition.tables["register"]
wanted = texts[texts["text"].str.contains(r"\b(?:new|fresh) deal", case=False)]
wanted = wanted[wanted["witness"].isin(["EcA", "EcB"])].merge(
    edition.tables["presence"][["locus", "first", "last", "witnesses", "of"]], on="locus"
)
wanted[["law", "locus", "text", "first", "witnesses", "of"]]

# %% [markdown]
"""
The column *first* names the earliest dated edition that has the law. It is empty. Neither page is dated, neither
book named, and nothing in the text may be turned into a year. The honest answer is: both have it, and which was
first, this corpus does not know.
"""

# %%
known = (
    edition.tables["witnesses"]
    .set_index("witness")
    .loc[["EcA", "EcB"], ["title", "title_status", "not_before", "date_status"]]
)
display(known)
assert set(known["date_status"]) == {"unknown"}
HTML(drawn["ecarte-timeline"].file())

# %% [markdown]
"""
## A law that kept its words

To see the apparatus at work, here is a law that one edition took over with small changes: a player who has more
than five cards. Bold stands for a difference of sense, underlined for one of points, spelling or capitals.
"""

# %%
kept = concordance.loc[(concordance["work"] == "ecarte") & (concordance["EcA"] == "12"), "locus"].item()
collation = next(c for c in work.loci if kept.endswith(c.locus.id)).collation


def marked(siglum: str) -> str:
    """The text of a witness with the words of its variation units marked."""
    parts = []
    for k, row in enumerate(collation.rows):
        token = row[siglum]
        if token:
            unit = next((u for u in collation.units if u.first <= k < u.last), None)
            tag = "" if unit is None else "u" if unit.accidental else "b"
            word = html.escape(token.surface)
            parts.append((f"<{tag}>{word}</{tag}>" if tag else word) + token.space)
    return "".join(parts)


HTML("".join(f"<p><small>{siglum}</small> {marked(siglum)}</p>" for siglum in ("EcA", "EcB")))

# %% [markdown]
"""
## What became of it, then?

Law 6 of EcA is laws 7 and 9 of EcB, written anew: the case is cut in two by *when* the fault is found, the penalty
differs, and a way to mend the deal is laid down. The order of time stays open. Each of these statements stands in a
row of a table, with the words it rests on, and can be looked up on the page: `variorum explain corpus EcA 6` shows
the way from there to here.
"""
