"""An editor's rulings: verdicts on single places and on links, written by hand, which win over every rule.

They stand in the corpus's folder `rulings`: `SIGLUM.txt` for the words of a witness, `links.txt` for which law is
which. A ruling quotes what it is about, so that it finds its place again in a file that has changed; one that no longer
does is told, never dropped. `corpus/README.md` shows how they are written.
"""

from variorum.rulings.anchors import Anchored, anchor
from variorum.rulings.folder import read_folder
from variorum.rulings.links import NOTHING, LawName, LinkRuling, RuledLinks, resolve
from variorum.rulings.reading import Mistakes, read_links, read_places
from variorum.rulings.ruling import Ruling, Verdict
from variorum.rulings.verdicts import decide, doubts, overruled, unheeded

__all__ = [
    "NOTHING",
    "Anchored",
    "LawName",
    "LinkRuling",
    "Mistakes",
    "RuledLinks",
    "Ruling",
    "Verdict",
    "anchor",
    "decide",
    "doubts",
    "overruled",
    "read_folder",
    "read_links",
    "read_places",
    "resolve",
    "unheeded",
]
