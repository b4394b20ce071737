"""How the specimens were made: `code.txt`, our own wording, typeset, put into images, and read by real programs.

    python tests/specimens/make.py [FOLDER]

Needs pdflatex, pdftoppm, tesseract 5 with English, cjb2, djvm, djvused, djvutxt and djvutoxml, and the Python packages
pillow and tesserocr (whose wheel has the libtesseract that writes PAGE). The tests read what it made, and need none.
"""

from __future__ import annotations

import contextlib
import csv
import ctypes
import gzip
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
DPI = 300
STAMP = (2020, 1, 1, 0, 0, 0)

HEAD = r"""\documentclass[10pt,%s]{article}
\usepackage[T1]{fontenc}\usepackage{lmodern}
\usepackage[paperwidth=%s,paperheight=150mm,top=18mm,bottom=18mm,inner=%s,outer=%s,marginparwidth=19mm,
  marginparsep=3mm]{geometry}
\pdfinfoomitdate=1\pdftrailerid{}\pdfsuppressptexinfo=-1
\setlength{\parindent}{0pt}\setlength{\parskip}{1.2ex}\setlength{\columnsep}{7mm}
\pagestyle{myheadings}\markboth{THE LAWS OF QUINTAIN.}{THE LAWS OF QUINTAIN.}
\hyphenpenalty=10000\tolerance=9999\emergencystretch=2em
\begin{document}\setcounter{page}{14}
"""


def paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """The paragraphs of a code, each with what it is: "title", "head", "clause" or "law"."""
    for k, block in enumerate(text.strip().split("\n\n")):
        for n, row in enumerate(block.split("\n")):
            kind = "title" if k == 0 else "clause" if n else "head" if row.isupper() else "law"
            yield kind, row.strip()


# ------------------------------------------------------------------------------------------------------------- layouts


def _body(text: str, law: Callable[[str], str]) -> str:
    made = []
    for kind, row in paragraphs(text):
        if kind in ("title", "head"):
            made.append(rf"\begin{{center}}{row}\end{{center}}")
        elif kind == "clause":
            made.append(rf"\hspace*{{1em}}\parbox[t]{{\dimexpr\linewidth-1em}}{{\raggedright {row}}}")
        else:
            made.append(law(row))
    return "\n\n".join(made)


def plain(text: str) -> str:
    """One column."""
    return HEAD % ("twoside", "105mm", "14mm", "14mm") + _body(text, str) + r"\end{document}"


def columns(text: str) -> str:
    """Two columns below a title across both, with a footnote in one of them."""
    title, rest = text.split("\n\n", 1)
    body = _body(f"\n\n{rest}", str).replace(
        "called the post.", r"called the post.\footnote{The card stays in sight.}", 1
    )
    head = HEAD % ("twoside,twocolumn", "135mm", "12mm", "12mm")
    return rf"{head}\twocolumn[\begin{{center}}\large {title}\end{{center}}]" + body + r"\end{document}"


def margins(text: str) -> str:
    """One column, with what each law is about in the margin."""
    notes = iter(("Players", "Cut for deal", "Two cards shown", "Pack not cut", "How to deal", "Card turned"))
    more = iter(("Misdeal", "The lead", "Not following suit", "King and tricks", "The game", "Persons looking on"))

    def law(row: str) -> str:
        note = next(notes, None) or next(more)
        return rf"\mbox{{}}\marginpar{{\raggedright\footnotesize {note}.}}\ignorespaces {row}"

    return HEAD % ("twoside", "120mm", "12mm", "30mm") + _body(text, law) + r"\end{document}"


def hanging(text: str) -> str:
    """One column, the numbers of the laws hanging in the margin, and the first letter three lines high."""

    def law(row: str) -> str:
        number, words = row.split(" ", 1)
        if number == "1.":
            big = rf"\smash{{\raisebox{{-1.45\baselineskip}}{{\fontsize{{36}}{{36}}\selectfont {words[0]}}}}}"
            return (
                rf"\hangindent=11mm\hangafter=-3\leavevmode\llap{{\hbox to 9mm{{{number}\hss}}\hskip11mm}}"
                rf"\llap{{\hbox to 11mm{{{big}\hss}}}}{words[1:]}"
            )
        return rf"\leavevmode\llap{{\hbox to 9mm{{{number}\hss}}}}{words}"

    return HEAD % ("twoside", "115mm", "24mm", "14mm") + _body(text, law) + r"\end{document}"


# ------------------------------------------------------------------------------------------------------------ programs


def run(*words: object, folder: Path, text: str | None = None) -> str:
    done = subprocess.run([str(w) for w in words], cwd=folder, input=text, capture_output=True, text=True, check=True)
    return done.stdout


def typeset(source: str, name: str, folder: Path) -> Path:
    (folder / f"{name}.tex").write_text(source, encoding="utf-8")
    run("pdflatex", "-interaction=batchmode", name, folder=folder)
    return folder / f"{name}.pdf"


def images(pdf: Path, worn: float = 0.0, turned: float = 0.0) -> list[Path]:
    """The pages of a PDF as images in one bit, a little worn and turned as on a scanner."""
    from PIL import Image, ImageFilter

    run("pdftoppm", "-r", DPI, "-gray", "-png", pdf.name, pdf.stem, folder=pdf.parent)
    pages = sorted(pdf.parent.glob(f"{pdf.stem}-*.png"))
    for k, path in enumerate(pages):
        page = (
            Image.open(path)
            .convert("L")
            .rotate(turned, Image.Resampling.BICUBIC, expand=abs(turned) > 5, fillcolor=255)
        )
        if worn:
            noise = Image.effect_noise(page.size, 60).filter(ImageFilter.GaussianBlur(0.8))
            page = Image.blend(page.filter(ImageFilter.GaussianBlur(worn)), noise, 0.2 * worn)
        page.point(lambda v: 255 if v > 150 else 0).convert("1").save(path, dpi=(DPI, DPI))
        pages[k] = path
    return pages


def read(pages: Sequence[Path], name: str, *forms: str, psm: int = 3) -> None:
    """Have tesseract read images into files of some forms."""
    folder = pages[0].parent
    (folder / f"{name}.list").write_text("".join(f"{page.name}\n" for page in pages))
    run("tesseract", f"{name}.list", name, "--psm", psm, "-l", "eng", *forms, folder=folder)


def read_page_xml(page: Path) -> Path:
    """Have the libtesseract of the wheel read an image into PAGE, which the program of Debian cannot write yet."""
    import tesserocr

    wheel = Path(tesserocr.__file__).parent
    found = next((wheel.parent / "tesserocr.libs").glob("libtesseract*"))
    library = ctypes.CDLL(str(found))
    for function in ("TessBaseAPICreate", "TessPAGERendererCreate"):
        getattr(library, function).restype = ctypes.c_void_p
    api = ctypes.c_void_p(library.TessBaseAPICreate())
    data = next(Path("/usr/share/tesseract-ocr").glob("*/tessdata"))
    library.TessBaseAPIInit3(api, str(data).encode(), b"eng")
    library.TessBaseAPISetPageSegMode(api, 3)
    library.TessBaseAPISetVariable(api, b"page_xml_level", b"1")
    out = page.with_suffix("")
    renderer = ctypes.c_void_p(library.TessPAGERendererCreate(str(out).encode()))
    with contextlib.chdir(page.parent):
        library.TessBaseAPIProcessPages(api, page.name.encode(), None, 0, renderer)
    library.TessDeleteResultRenderer(renderer)
    library.TessBaseAPIDelete(api)
    return next(p for p in (out.with_suffix(".page.xml"), out.with_suffix(".xml")) if p.exists())


def read_djvu(pages: Sequence[Path], name: str) -> None:
    """Put images into a DjVu file, what tesseract reads in them as its hidden text, and have its tools print that."""
    from PIL import Image

    folder, parts = pages[0].parent, []
    for k, path in enumerate(pages, 1):
        page = Image.open(path)
        page.save(folder / f"{k}.pbm")
        run("cjb2", "-dpi", DPI, f"{k}.pbm", f"{name}_{k:04}.djvu", folder=folder)
        rows = run("tesseract", path.name, "-", "-l", "eng", "tsv", folder=folder)
        (folder / f"{k}.sexp").write_text(_hidden(rows, page.size), encoding="utf-8")
        run("djvused", f"{name}_{k:04}.djvu", "-e", f"select 1; set-txt {k}.sexp; save", folder=folder)
        parts.append(f"{name}_{k:04}.djvu")
    run("djvm", "-c", f"{name}.djvu", *parts, folder=folder)
    run("djvutoxml", f"{name}.djvu", f"{name}.djvu.xml", folder=folder)
    run("djvutxt", f"{name}.djvu", f"{name}.djvu.txt", folder=folder)


def _hidden(tsv: str, size: tuple[int, int]) -> str:
    """The rows of tesseract's table as the expressions of djvused, which counts from the foot of the page."""
    groups: dict[tuple[str, str], dict[str, list[str]]] = {}
    for row in csv.DictReader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["level"] == "5":
            left, top, width, height = (int(row[key]) for key in ("left", "top", "width", "height"))
            box = f"{left} {size[1] - top - height} {left + width} {size[1] - top}"
            text = row["text"].replace("\\", "\\\\").replace('"', '\\"')
            lines = groups.setdefault((row["block_num"], row["par_num"]), {})
            lines.setdefault(row["line_num"], []).append(f'(word {box} "{text}")')
    whole = f"0 0 {size[0]} {size[1]}"
    paragraphs = (
        f"(para {whole} " + " ".join(f"(line {whole} {' '.join(words)})" for words in lines.values()) + ")"
        for lines in groups.values()
    )
    return f"(page {whole} {' '.join(paragraphs)})"


# ------------------------------------------------------------------------------------- what people make of it by hand

START, END = "*** START OF THE PROJECT GUTENBERG EBOOK 99999 ***", "*** END OF THE PROJECT GUTENBERG EBOOK 99999 ***"
BEFORE = """The Project Gutenberg eBook of The Laws of Quintain

This is no book of that library: it has the frame of one, and may be used by anybody anywhere.

Title: The Laws of Quintain

Language: English
"""
PRODUCED = "Produced by nobody in particular and the Specimen Proofreading Team"
NOTE = "[Transcriber's Note: Misprints stand as they are.]"
AFTER = """Updated editions will replace the previous one.

START: FULL LICENSE

THE FULL PROJECT GUTENBERG LICENSE

1. This stands for a long licence, which has numbered sections like any other law.

1.A. Whoever reads this agrees to nothing.
"""


def gutenberg_text(text: str) -> str:
    """As the proofreaders mark type: _italics_ and =bold or small capitals=."""
    marked = text.replace("the post.", "the _post_.").replace("Bystanders may", "=Bystanders= may")
    marked = marked.replace("5. The dealer", "5. =The dealer=").replace("the lead", "the _lead_")
    return f"{BEFORE}\n{START}\n\n\n\n\n{PRODUCED}\n\n\n{NOTE}\n\n\n\n{marked}\n\n\n\n{END}\n\n{AFTER}"


def gutenberg_html(text: str) -> str:
    rows = [
        f"<h2>{row}</h2>" if kind in ("title", "head") else f'<p class="{kind}">{row}</p>'
        for kind, row in paragraphs(text)
    ]
    body = "\n".join(rows).replace("the post.", "the <i>post</i>.")
    body = body.replace("5. The dealer", '<span class="pagenum" id="Page_15">[Pg 15]</span>5. <b>The dealer</b>')
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Quintain</title></head><body>\n'
        f'<section class="pg-boilerplate pgheader" id="pg-header" lang="en"><h2>The Project Gutenberg eBook</h2>'
        f'<p>{BEFORE}</p><div id="pg-start-separator"><span>{START}</span></div></section>\n'
        f'<p>{PRODUCED}</p>\n<div class="transnote"><p>{NOTE}</p></div>\n{body}\n'
        f'<section class="pg-boilerplate" id="pg-footer" lang="en"><div id="pg-end-separator"><span>{END}</span></div>'
        f"<p>{'</p><p>'.join(AFTER.split(chr(10) * 2))}</p></section></body></html>\n"
    )


def wikisource_html(text: str) -> str:
    rows = [
        f'<div class="tiInherit" style="text-align:center;">{row}</div>'
        if kind in ("title", "head")
        else f"<p>{row}\n</p>"
        for kind, row in paragraphs(text)
    ]
    number = '<span class="pagenum ws-pagenum" id="15" data-page-number="15" data-page-name="Page:Quintain/15"></span>'
    body = "\n".join(rows).replace("5. The dealer", f"{number}5. The dealer")
    return (
        '<!DOCTYPE html>\n<html class="client-nojs" lang="en"><head><meta charset="UTF-8"><title>Quintain</title>'
        '</head><body class="ns-0"><nav><a href="/">Main page</a></nav><div class="mw-parser-output">'
        '<div class="ws-header wst-header ws-noexport noprint" id="ws-data">The Laws of Quintain (a specimen)</div>\n'
        f'<div class="prp-pages-output" lang="en">\n{body}\n</div></div>'
        '<div class="printfooter">Retrieved from nowhere</div></body></html>\n'
    )


def tei(text: str) -> str:
    """As the Text Creation Partnership encodes: divisions, paragraphs, page breaks, long s left, letters lost."""
    rows, opened = [], False
    for kind, row in paragraphs(text):
        row = escape(row).replace("the post.", "the <hi>post</hi>.")
        if kind == "head":
            rows.append("</div>" * opened + f'<div type="section"><head>{row}</head>')
            opened = True
        elif kind != "title":
            rows.append(f"<p>{row}</p>")
    body = "\n".join(rows).replace("<p>5. The", '<pb n="15" facs="tcp:99999:2"/><p>5. The')
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>'
        "<titleStmt><title>Quintain</title></titleStmt><publicationStmt><p>Own.</p></publicationStmt><sourceDesc>"
        '<p>Own words.</p></sourceDesc></fileDesc></teiHeader>\n<text xml:lang="eng"><body><div type="text">'
        f'<pb n="14" facs="tcp:99999:1"/><head>{text.split(chr(10))[0]}</head>'
        f"\n{body}</div></div></body></text></TEI>\n"
    )


def packed(files: Mapping[str, bytes]) -> bytes:
    done = io.BytesIO()
    with zipfile.ZipFile(done, "w") as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path, STAMP), data, zipfile.ZIP_DEFLATED)
    return done.getvalue()


def hathitrust(pages: Sequence[bytes], texts: Sequence[str], name: str) -> bytes:
    """An archive as that library hands it out: a text and a file with places for each page, and METS."""
    files, divisions = "", ""
    for k in range(1, len(pages) + 1):
        files += f'<METS:file ID="O{k}"><METS:FLocat LOCTYPE="OTHER" xlink:href="{k:08}.html"/></METS:file>'
        files += f'<METS:file ID="T{k}"><METS:FLocat LOCTYPE="OTHER" xlink:href="{k:08}.txt"/></METS:file>'
        divisions += (
            f'<METS:div ORDER="{k}" TYPE="page"><METS:fptr FILEID="O{k}"/><METS:fptr FILEID="T{k}"/></METS:div>'
        )
    mets = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<METS:mets xmlns:METS="http://www.loc.gov/METS/" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink"><METS:fileSec><METS:fileGrp>{files}</METS:fileGrp></METS:fileSec>'
        f'<METS:structMap TYPE="physical"><METS:div TYPE="volume">{divisions}</METS:div></METS:structMap></METS:mets>'
    )
    members = {f"{name}/{k:08}.html": page for k, page in enumerate(pages, 1)}
    members |= {f"{name}/{k:08}.txt": text.encode() for k, text in enumerate(texts, 1)}
    return packed({**members, f"{name}.mets.xml": mets.encode()})


# ---------------------------------------------------------------------------------------------------------------- all


def of_one_column(code: str, work: Path, out: Path) -> None:
    """What all programs make of the code in one column."""
    pdf = typeset(plain(code), "plain", work)
    (out / "code.pdf").write_bytes(pdf.read_bytes())
    pages = images(pdf)
    read(pages, "code", "hocr", "alto", "txt", "pdf")
    for suffix, name in {
        "hocr": "code.hocr",
        "xml": "code.alto.xml",
        "txt": "code.ocr.txt",
        "pdf": "searchable.pdf",
    }.items():
        (out / name).write_bytes((work / f"code.{suffix}").read_bytes())
    singles, texts, whole = [], [], {}
    for k, page in enumerate(pages, 1):
        whole[f"{k}.xml"] = read_page_xml(page).read_bytes()
        read([page], f"single{k}", "hocr", "txt")
        singles.append((work / f"single{k}.hocr").read_bytes())
        texts.append((work / f"single{k}.txt").read_text(encoding="utf-8"))
    (out / "code.page.zip").write_bytes(packed(whole))
    (out / "hathitrust.zip").write_bytes(hathitrust(singles, texts, "code"))
    read_djvu(pages, "code")
    for name in ("code.djvu.xml", "code.djvu.txt"):
        # The tool names the folder in which it ran, which nobody else has.
        (out / name).write_bytes((work / name).read_bytes().replace(f"localhost{work}".encode(), b"localhost"))


def of_layouts(code: str, work: Path, out: Path) -> None:
    """The code in layouts that are hard to read, worn and a little aslant, by several modes of the program."""
    for name, layout in {"columns": columns, "margins": margins, "hanging": hanging}.items():
        pages = images(typeset(layout(code), name, work), worn=0.6, turned=0.4)
        for psm in (3, 6) if name == "hanging" else (3, 4, 6):
            read(pages, f"{name}{psm}", "hocr", "alto", psm=psm)
            for suffix, known in (("hocr", "hocr"), ("xml", "alto.xml")):
                data = (work / f"{name}{psm}.{suffix}").read_bytes()
                (out / f"{name}-psm{psm}.{known}.gz").write_bytes(gzip.compress(data, mtime=0))


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    code = (HERE / "code.txt").read_text(encoding="utf-8")
    for name, form in {
        "gutenberg.txt": gutenberg_text,
        "gutenberg.html": gutenberg_html,
        "wikisource.html": wikisource_html,
        "tcp.xml": tei,
    }.items():
        (out / name).write_text(form(code), encoding="utf-8")
    with tempfile.TemporaryDirectory() as work:
        of_one_column(code, Path(work), out)
        of_layouts(code, Path(work), out)


if __name__ == "__main__":
    main()
