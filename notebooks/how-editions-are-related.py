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
# How are the editions related?

Rulebooks copy one another. A printer took last year's Hoyle, mended a rule, spoiled another, and set it again; the
next took his. Can the words tell who took from whom? This essay first asks it of the two editions of écarté in the
sample corpus, and then does what should be done before any such answer is believed: it puts the same question where
the answer is known.
"""

# %%
import random
import re
import tempfile
from pathlib import Path

import pandas as pd
from IPython.display import HTML, display

import variorum
from variorum.reading import pictures

corpus = next(folder / "corpus" for folder in (Path.cwd(), Path.cwd().parent) if (folder / "corpus").is_dir())
edition = variorum.edit(corpus)

# %% [markdown]
"""
## Two editions, one number

*Similarity* is the share of words that agree: twice the words that stand in the same place and are equal, divided
by the words of both, over the laws that both have. Long s, capitals and points do not count; spelling does.
"""

# %%
similarity = edition.tables["similarity"]
similarity[similarity["work"] == "ecarte"][["witness", "EcA", "EcB"]]

# %%
presence = edition.tables["presence"]
ecarte = presence[presence["work"] == "ecarte"]
both = ecarte[ecarte["witnesses"] == 2]
print(f"{len(both)} of {len(ecarte)} loci are in both editions; {both['moved'].sum()} of them stand in another order")

# %% [markdown]
"""
Half of the laws are in one edition only, and where both have a law they agree in three words of ten. These are two
redactions of one game's custom, and not two printings of one text. Between two editions that is all that can be
said: where they differ, nothing shows which of them changed. That takes a third.

## A question with a known answer

So I make editions whose descent I know. The laws of EcB are the original, **Ed1**. A small compositor copies it,
and with every copy he respells some words, exchanges others, and leaves out a law now and then. What he changes,
his copyists inherit:

    Ed1 ── Ed2 ── Ed4
      │      └─── Ed5
      └─── Ed3 ── Ed6

Ed4 and Ed5 have a common source in Ed2, and Ed6 comes from Ed3. The editor who gets the six texts does not know
this.
"""

# %%
SAID = {
    "adversary": "opponent antagonist rival",
    "obliged": "bound compelled forced",
    "call": "demand claim ask",
    "discovered": "found noticed detected",
    "option": "choice pleasure election",
    "receives": "takes gets obtains",
    "perceive": "notice see remark",
    "should": "shall must may",
    "first": "foremost earliest opening",
    "more": "further additional other",
    "point": "score mark game",
    "many": "numerous several divers",
    "elder": "eldest leading senior",
    "cards": "pasteboards leaves papers",
    "dealer": "giver server distributor",
    "hand": "holding portion share",
    "before": "ere until till",
    "new": "fresh second other",
}
FROM = {"Ed2": "Ed1", "Ed3": "Ed1", "Ed4": "Ed2", "Ed5": "Ed2", "Ed6": "Ed3"}
SHARE = 0.15  # of the words that could be changed, in one copying


def copied(laws: list[str], chance: random.Random) -> list[str]:
    """The laws as this compositor sets them: each place is changed by itself, and one law in fifteen is lost."""
    changed = []
    for law in laws:
        if len(laws) > 8 and chance.random() < 1 / 15:
            continue
        words = law.split(" ")
        for k, word in enumerate(words):
            if word in SAID and chance.random() < SHARE:
                words[k] = chance.choice(SAID[word].split())
            elif re.search("[^dt]ed$", word) and chance.random() < SHARE:
                words[k] = f"{word[:-2]}'d"
        changed.append(" ".join(words))
    return changed


register = edition.tables["register"]
original = [text.replace("\n", " ") for text in register.loc[register["witness"] == "EcB", "text"]]
chance = random.Random(1850)
texts = {"Ed1": original}
for siglum, source in FROM.items():
    texts[siglum] = copied(texts[source], chance)
{siglum: len(laws) for siglum, laws in texts.items()}

# %% [markdown]
"""
The six go into a corpus like any other, with a manifest, and through the same machine: it finds the laws, matches
them, collates the words and sorts the differences. The years are stated only so that the pictures have an order.
"""

# %%
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    manifest = [
        '[corpus]\ntitle = "Six copies"\ndate = "2026-01-01"',
        '[[works]]\nid = "copies"\ntitle = "Six copies"\nbase = "Ed1"',
    ]
    for k, (siglum, laws) in enumerate(texts.items()):
        numbered = "\n\n".join(f"{n}. {law}" for n, law in enumerate(laws, 1))
        (folder / f"{siglum}.txt").write_text(f"LAWS OF THE GAME\n\n{numbered}\n", encoding="utf-8")
        manifest.append(
            f'[[witnesses]]\nsiglum = "{siglum}"\nwork = "copies"\nsource = "{siglum}.txt"\nyear = {1600 + 10 * k}'
        )
    (folder / "corpus.toml").write_text("\n".join(manifest), encoding="utf-8")
    copies = variorum.edit(folder)
work = copies.works[0]
sigla = list(texts)
copies.tables["witnesses"][["witness", "laws", "words", "corrections", "findings"]]

# %% [markdown]
"""
## Likeness
"""

# %%
drawn = {picture.name: picture for picture in pictures(work)}
HTML(drawn["copies-likeness"].file())

# %%
HTML(drawn["copies-tree"].file())

# %% [markdown]
"""
The tree is made by neighbour joining: the way along its lines from one edition to another is about as long as the
number of words in which they differ, so that an edition from which others were set stands close to where they part.
It is a tree of likeness and no stemma, for it has no direction: it hangs midway between the two least alike, and
nothing in it says that all the others come from Ed1. Is it at least right about the families?
"""

# %%
likeness = copies.tables["similarity"].set_index("witness")[sigla].astype(float)
nearest = {siglum: likeness.loc[siglum].drop(siglum).idxmax() for siglum in FROM}
pd.DataFrame({"taken from": FROM, "most like": nearest})

# %% [markdown]
"""
## Shared variants

Likeness counts everything, and most of what two editions have in common they have from the original, as all others
do. The better witness is the *shared variant*: a reading in which two editions go together against others. A
compositor may hit upon a spelling twice; he hardly hits upon the same dozen of other words.
"""

# %%
shared = copies.tables["shared_variants"]
for grade in ("substantive", "accidental"):
    print(grade)
    display(shared[shared["class"] == grade].set_index("witness")[sigla])

# %% [markdown]
"""
A reading shared with the original shows nothing, since everyone may have it from there. I leave out the places
where the two agree with Ed1, and count only the changes that they have in common.
"""

# %%
variants = copies.tables["variants"]
changed = variants[(variants["class"] == "substantive") & ~variants["is_lemma"] & (variants["state"] == "text")]
common = pd.DataFrame(0, index=sigla[1:], columns=sigla[1:])
for witnesses in changed["witnesses"].str.split():
    for a in witnesses:
        for b in witnesses:
            common.loc[a, b] += 1
display(common)

# %% [markdown]
"""
Now the families stand apart: Ed2, Ed4 and Ed5 share changes, Ed3 and Ed6 share others, and across there are only
the few that two men hit upon by chance. Read along a row, the highest number beside the witness itself names a copy
or its source:
"""

# %%
families = [{"Ed2", "Ed4", "Ed5"}, {"Ed3", "Ed6"}]
found = {}
for siglum in common.index:
    found[siglum] = common.loc[siglum].drop(siglum).idxmax()
    assert any({siglum, found[siglum]} <= family for family in families), (siglum, found[siglum])
display(found)

# %% [markdown]
"""
Which is the copy? All changes of the source are in the copy, unless the place was changed again or the law left
out; the copy has changes of its own besides. So of two that belong together, the one with fewer changes of its own
stands nearer to the original.
"""

# %%
own = {siglum: int(common.loc[siglum, siglum]) for siglum in common.index}
for copy, source in FROM.items():
    if source != "Ed1":
        print(f"{source}: {own[source]} changes, {common.loc[source, copy]} of them in {copy}, which has {own[copy]}")
        assert own[source] < own[copy]

# %% [markdown]
"""
## How far does this go?

Where the answer was known, likeness gave the families, and the shared changes gave the families and the direction.
But look at what was granted. The original was known to be the original: without it, nobody can tell a change from
what was changed, and the table of shared variants must be read without direction. The copyists worked from one book
each; a printer with two on his desk mixes families. And the six texts are clean. In a misread page the machine's
faults look like variants; they are sorted out as *ocr* and not counted here, as far as they are known for what they
are.

For the two editions of écarté the result stands as it was at the beginning: one number, no tree, and the need of a
third.
"""
