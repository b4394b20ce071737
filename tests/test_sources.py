"""Reading bytes: the encoding is found in the file or said to be doubtful, and nothing else is touched."""

from __future__ import annotations

import hashlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.errors import SourceError
from variorum.sources import read
from variorum.sources.text import pages


def test_a_byte_order_mark_is_no_part_of_the_text():
    assert read(b"\xef\xbb\xbf1. The deal is void.").raw == "1. The deal is void."


@pytest.mark.parametrize(("mark", "encoding"), [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")])
def test_utf_16_is_read_by_its_mark(mark, encoding):
    source = read(mark + "1. Écarté.".encode(encoding))
    assert (source.raw, source.encoding, source.findings) == ("1. Écarté.", encoding, ())


def test_every_kind_of_line_end_becomes_a_line_feed():
    assert read("one\r\ntwo\rthree\x85four\nfive".encode()).raw == "one\ntwo\nthree\nfour\nfive"


def test_what_is_not_utf_8_is_read_as_cp1252_and_the_line_is_named():
    source = read(b"1. The deal.\n2. The adversary\x92s \xc9cart\xe9.\n")
    assert source.raw == "1. The deal.\n2. The adversary’s Écarté.\n"
    assert source.encoding == "cp1252"
    (finding,) = source.findings
    assert "line 2" in finding.message
    assert source.raw[finding.start : finding.end] == "2. The adversary’s Écarté."


def test_a_file_in_two_encodings_is_read_line_by_line():
    source = read("1. Écarté.\n".encode() + b"2. \xc9cart\xe9.\n")
    assert source.raw == "1. Écarté.\n2. Écarté.\n"
    assert source.encoding == "utf-8 and cp1252"
    assert "line 2" in source.findings[0].message


def test_bytes_that_mean_nothing_in_cp1252_are_kept():
    assert read(b"a\x81b\xe9").raw == "a\x81bé"


def test_many_doubtful_lines_make_one_finding():
    (finding,) = read(b"caf\xe9\n" * 40).findings
    assert "and 30 more" in finding.message


def test_the_text_is_brought_to_nfc_and_the_digest_is_that_of_the_bytes():
    data = unicodedata.normalize("NFD", "Écarté").encode()
    source = read(data)
    assert source.raw == "Écarté"
    assert source.sha256 == hashlib.sha256(data).hexdigest()


def test_a_form_feed_ends_a_page_and_vertical_tabs_end_nothing():
    raw = "one\x0bstill one\ftwo\f"
    assert [raw[p.start : p.end] for p in pages(raw)] == ["one\x0bstill one", "two"]


def test_an_empty_page_counts_unless_it_is_the_last():
    assert [(p.n, p.start, p.end) for p in pages("a\f\fb\f\n")] == [(1, 0, 1), (2, 2, 2), (3, 3, 4)]


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b" \n\x0c\r\n"])
def test_a_file_without_text_is_refused_with_its_name(data):
    with pytest.raises(SourceError, match="witness has no text") as refused:
        read(data, "empty.txt")
    assert refused.value.where == "empty.txt"


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"PK\x03\x04rest", "zip archive"),
        (b"\x1f\x8b\x08rest", "gzip"),
        (b"%PDF-1.7", "PDF"),
        (b'<?xml version="1.0"?><book/>', "its root element is"),
        (b"<!DOCTYPE html><html>", "its root element is"),
        ("The deal is void".encode("utf-16-le"), "UTF-16 without a byte order mark"),
    ],
)
def test_another_format_is_declined_with_the_reason(data, what):
    with pytest.raises(SourceError, match=what):
        read(data, "file")


def test_markup_inside_a_text_is_text():
    assert read(b"1. <b>The deal</b> & void").raw == "1. <b>The deal</b> & void"


def test_control_characters_stay_in_the_raw_text():
    assert read(b"1. The\x00 deal\x1b[31m.").raw == "1. The\x00 deal\x1b[31m."


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data):
    try:
        source = read(data, "any")
    except SourceError:
        return
    assert unicodedata.is_normalized("NFC", source.raw)
    assert not any(c in source.raw for c in "\r\x85")
    assert all(source.raw[p.start : p.end] for p in source.pages if p.end > p.start)


@given(st.text(min_size=1, max_size=200).filter(lambda t: t.strip()))
def test_utf_8_text_comes_back_as_it_was_written(text):
    if text[0] == "\ufeff" or "\x00" in text or text.lstrip().startswith("<"):
        return
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n")
    if plain.encode()[:3] in (b"PK\x03", b"%PD", b"AT&", b"II*", b"MM\x00") or not plain.strip():
        return
    assert read(text.encode()).raw == unicodedata.normalize("NFC", plain)


@pytest.mark.shared
def test_no_odd_file_brings_a_traceback(shared):
    for path in sorted((shared / "bad-inputs").iterdir()):
        refusal = _refusal(path.read_bytes(), path.name)
        assert refusal is None or (path.name in str(refusal) and refusal.remedy)


def _refusal(data, name):
    try:
        read(data, name)
    except SourceError as refused:
        return refused
    return None
