"""A small hand for SVG: shapes of one look drawn as one path, escaped, with figures written the same way on every run.

Few elements, because a page that holds a drawing of twelve hundred laws must still open at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from variorum.reading.cells import seen

COLOURS = ("paper", "ink", "faint", "rule", "accent", "blue", "band")
# A page sets the same names, light and dark, for a picture that stands in it.
_VALUES = (
    "svg{--paper:#fffdf8;--ink:#26221c;--faint:#6b6458;--rule:#d8d0c0;--accent:#8a2b1d;--blue:#2b5a86;--band:#9db4c8}"
    "@media(prefers-color-scheme:dark){svg{--paper:#1b1a18;--ink:#ece5d8;--faint:#aaa294;--rule:#454139;"
    "--accent:#eb9a83;--blue:#92bde4;--band:#4d6479}}"
    "text{font-family:Georgia,'Times New Roman','Liberation Serif',serif}"
)
CLASSES = "".join(f".f-{c}{{fill:var(--{c})}}.l-{c}{{fill:none;stroke:var(--{c})}}" for c in COLOURS)


def figure(value: float) -> str:
    """A length with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


Look = tuple[str, str]  # class, and further attributes


@dataclass
class Picture:
    """A drawing of some width and height, in pixels: `name` of its file, a title and a description in words.

    Shapes of one look lie together, in the order in which a look was first used; words lie on top.
    """

    name: str
    title: str
    about: str
    width: float = 0
    height: float = 0
    _shapes: dict[Look, list[str]] = field(default_factory=dict)
    _words: dict[Look, list[Markup]] = field(default_factory=dict)

    def box(self, x: float, y: float, w: float, h: float, colour: str, opacity: float = 1) -> None:
        """A filled box."""
        faint = f' fill-opacity="{opacity:.2f}"' if opacity < 1 else ""
        path = f"M{figure(x)} {figure(y)}h{figure(w)}v{figure(h)}h-{figure(w)}z"
        self._shapes.setdefault((f"f-{colour}", faint), []).append(path)

    def line(
        self, points: Sequence[tuple[float, float]], colour: str = "ink", width: float = 1, dash: str = ""
    ) -> None:
        """A line through points."""
        self.path("M" + "L".join(f"{figure(x)} {figure(y)}" for x, y in points), colour, width, dash)

    def path(self, path: str, colour: str, width: float, dash: str = "", opacity: float = 1) -> None:
        """A stroke along an SVG path."""
        more = f' stroke-width="{figure(width)}"'
        more += f' stroke-dasharray="{dash}"' if dash else ""
        more += f' stroke-opacity="{opacity:.2f}"' if opacity < 1 else ""
        self._shapes.setdefault((f"l-{colour}", more), []).append(path)

    def text(
        self, x: float, y: float, words: str, size: float = 12, anchor: str = "start", colour: str = "ink"
    ) -> None:
        """Words with their baseline at y."""
        look = (f"f-{colour}", f' font-size="{figure(size)}" text-anchor="{anchor}"')
        words_at = Markup('<text x="{}" y="{}">{}</text>').format(figure(x), figure(y), seen(words))
        self._words.setdefault(look, []).append(words_at)

    def _svg(self, namespace: str, head: Markup) -> Markup:
        drawn = [
            Markup('<path class="{}"{} d="{}"/>').format(name, Markup(more), "".join(paths))
            for (name, more), paths in self._shapes.items()
        ]
        drawn += [
            Markup('<g class="{}"{}>{}</g>').format(name, Markup(more), Markup("").join(words))
            for (name, more), words in self._words.items()
        ]
        w, h = figure(self.width), figure(self.height)
        return Markup('<svg{} viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">{}{}</svg>').format(
            Markup(namespace), w, h, w, h, seen(f"{self.title}. {self.about}"), head, Markup("").join(drawn)
        )

    def inline(self) -> Markup:
        """The drawing for an HTML page, which sets its colours."""
        return self._svg("", Markup(""))

    def file(self) -> str:
        """The drawing as a file that stands by itself."""
        head = Markup("<title>{}</title><desc>{}</desc><style>{}</style>").format(
            seen(self.title), seen(self.about), Markup(_VALUES + CLASSES)
        )
        head += Markup('<rect width="100%" height="100%" class="f-paper"/>')
        return str(self._svg(' xmlns="http://www.w3.org/2000/svg"', head)) + "\n"
