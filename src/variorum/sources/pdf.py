"""PDF with a text layer -> `Source`, by pypdfium2; an image without a text layer is no text, and is told."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from variorum.errors import SourceError
from variorum.model import Finding, Source
from variorum.sources.declined import Declined
from variorum.sources.text import pages

_LINE_END = re.compile("\r\n?|\x85")
# PDFium writes a soft hyphen at a line end as U+FFFE, or as U+0002 in older versions.
_HYPHENS = re.compile("[\ufffe\x02](?=\n|$)")


def read(data: bytes, name: str = "") -> Source:
    """The text layer of a PDF, a form feed after each page.

    Raises SourceError where there is none, where the file is damaged or locked, or where pypdfium2 is not installed;
    Declined where it is no PDF.
    """
    if not data.startswith(b"%PDF-"):
        raise Declined("it is no PDF")
    sheets = [_HYPHENS.sub("-", _LINE_END.sub("\n", text)) for text in _sheets(data, name)]
    raw = unicodedata.normalize("NFC", "\f".join(text.replace("\f", "\n").rstrip("\n") + "\n" for text in sheets))
    if not raw.strip():
        raise SourceError(
            name, "has pictures of pages and no text layer", "let an OCR engine read it, and name its hOCR"
        )
    empty = [str(n) for n, text in enumerate(sheets, 1) if not text.strip()]
    told = (
        f"no text on page {', '.join(empty[:10])}{' and others' if len(empty) > 10 else ''}: not read by OCR, or empty"
    )
    findings = (Finding("page-without-text", told),) if empty else ()
    return Source(raw, name, hashlib.sha256(data).hexdigest(), "PDF text layer", pages(raw), findings)


def _sheets(data: bytes, name: str) -> list[str]:
    try:
        import pypdfium2
    except ImportError:
        raise SourceError(
            name, "is a PDF, which needs pypdfium2", "pip install 'variorum[pdf]', or save its text as a file"
        ) from None
    try:
        document = pypdfium2.PdfDocument(data)
        try:
            return [page.get_textpage().get_text_range() for page in document]
        finally:
            document.close()
    except pypdfium2.PdfiumError as error:
        raise SourceError(name, f"is a damaged or locked PDF ({error})", "save it anew without a password") from None
