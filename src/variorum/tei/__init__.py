"""TEI: one edition file a witness, one collation file a work, and both read back."""

from variorum.tei.checks import check_files
from variorum.tei.collations import collation
from variorum.tei.editions import edition
from variorum.tei.files import files
from variorum.tei.headers import Header
from variorum.tei.readback import raw_text, running_text, witness_text
from variorum.tei.schema import checked, validate

__all__ = [
    "Header",
    "check_files",
    "checked",
    "collation",
    "edition",
    "files",
    "raw_text",
    "running_text",
    "validate",
    "witness_text",
]
