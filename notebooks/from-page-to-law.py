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
# From page to law: how far can I trust this text?

A library has scanned a page of the laws of écarté, and a machine has read it. What the machine gives us is not the
page: it misread letters, broke words where the printer broke lines, and took the running head for a sentence.
Before I quote a law from it, I want to know three things: what stands on the page, what was read instead and why,
and what nobody is sure of.

This essay follows one witness, with the siglum **EcA**, from its raw text to one of its laws, and shows every
correction on the way.
"""

# %%
import html
from pathlib import Path

import pandas as pd
from IPython.display import HTML, display

import variorum

pd.set_option("display.max_colwidth", None)
corpus = next(folder / "corpus" for folder in (Path.cwd(), Path.cwd().parent) if (folder / "corpus").is_dir())
raw = (corpus / "witnesses" / "EcA" / "ecarte-a.ocr.txt").read_text(encoding="utf-8")
print(raw[:700])

# %% [markdown]
"""
The page has no line ends left; `p>ack` and `trump>card` are specks on the paper that the machine took for letters.
A little further on the running head and the number of the page stand in the middle of a law:
"""

# %%
head = raw.index("CARDS 99 CARDS")
print("...", raw[head - 60 : head + 80], "...")

# %% [markdown]
"""
## What is read instead

`variorum.clean` proposes corrections. It changes nothing: each correction is a note on a span of the raw text, with
what was found there, what is read instead, the kind of fault, the rule that proposed it, how certain it is, and the
reason.
"""

# %%
repair = variorum.clean(raw)
corrections = pd.DataFrame(
    [(c.start, c.found, c.reads, c.kind.value, c.cert, c.evidence) for c in repair.corrections],
    columns=["at", "found", "reads", "kind", "certainty", "reason"],
)
display(corrections)

# %%
corrections.groupby("kind").agg(places=("at", "size"), least_certain=("certainty", "min"))

# %% [markdown]
"""
Here is the page with its corrections in place: struck out what the machine read, underlined what is read instead.
Hold the pointer over a place to see the reason.
"""


# %%
def marked(start: int, end: int) -> HTML:
    """The raw text of a span with its corrections shown."""
    parts, at = [], start
    for c in repair.corrections:
        if not start <= c.start < end:
            continue
        parts.append(html.escape(raw[at : c.start]))
        why = html.escape(f"{c.kind.value}, {c.cert:.2f}: {c.evidence}")
        parts.append(f'<span title="{why}"><del>{html.escape(c.found)}</del><ins>{html.escape(c.reads)}</ins></span>')
        at = c.end
    parts.append(html.escape(raw[at:end]))
    return HTML(f'<div style="max-width: 45em; line-height: 1.5">{"".join(parts)}</div>')


marked(0, len(raw))

# %% [markdown]
"""
## What nobody is sure of

Where a reading is not certain enough, the page stands as it is, and the doubt is recorded as a *finding*: something
for the editor to look at, with the readings that were thought of.
"""

# %%
pd.DataFrame(
    [(f.code, raw[f.start : f.end], ", ".join(f.candidates), f.message) for f in repair.findings],
    columns=["code", "on the page", "candidates", "doubt"],
)

# %% [markdown]
"""
## Nothing is lost

The raw page can always be had back. Taking the corrections one by one, what each found, with the text between them,
is the page again, letter for letter:
"""

# %%
pieces, at = [], 0
for c in repair.corrections:
    pieces += [raw[at : c.start], c.found]
    at = c.end
assert "".join([*pieces, raw[at:]]) == raw
print(f"{len(raw)} characters on the page, {len(repair.text)} in the repaired text, none of them lost")

# %% [markdown]
"""
## From the page to its laws

`variorum.laws` cuts the repaired text into numbered laws. Each knows where on the raw page it begins and ends.
"""

# %%
laws = variorum.laws(repair)
pd.DataFrame(
    [(law.id, law.label, law.start, law.end, law.text) for law in laws],
    columns=["law", "as printed", "start", "end", "text"],
)

# %% [markdown]
"""
Law 6 is the one that the running head runs through. This is its place on the page, with its corrections:
"""

# %%
sixth = next(law for law in laws if law.number == "6")
marked(sixth.start, sixth.end)

# %% [markdown]
"""
And this is the law:
"""

# %%
print(f"{sixth.number}. {sixth.text}")
assert "CARDS" not in sixth.text

# %% [markdown]
"""
## The same law in another edition

A second edition of the game, **EcB**, treats of the same matter in other words and under other numbers.
`variorum.edit` works through a whole corpus; its concordance says which law answers to which, and its apparatus
which words differ.
"""

# %%
edition = variorum.edit(corpus)
concordance = edition.tables["concordance"]
ecarte = concordance[concordance["work"] == "ecarte"]
ecarte[["locus", "EcA", "EcB", "relation", "moved", "evidence"]]

# %% [markdown]
"""
The law that we have followed is no single law there: its matter stands in two, and in other words throughout. Where
words cannot be set against one another honestly, the apparatus says so and gives both texts whole. Laws that kept
their wording are compared word by word; here is law 12:
"""

# %%
where = ecarte.loc[ecarte["EcA"] == "12", "locus"].item()
variants = edition.tables["variants"]
variants.loc[
    (variants["locus"] == where) & ~variants["is_lemma"],
    ["before", "lemma", "reading", "witnesses", "state", "kind", "class"],
]

# %% [markdown]
"""
## How far, then?

As far as the notes go. Every place where the text departs from the machine's reading is in the first table, with
its reason; every place where a departure was thought of and not made is in the second. What is in neither was taken
as it stood, and a misreading that happens to make a good English word (`be` for `he`) can still hide there. For a
quotation, look at the law's own span, as above for law 6, and at the picture of the page.

The same can be had on the command line: `variorum explain corpus EcA 6`.
"""
