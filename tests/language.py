"""What a program can see of the language of pages: long sentences, and private terms."""

import re
from collections.abc import Iterator

LONGEST = 40
# A term, and what is written instead of it (docs/guides/glossary.md).
TERMS = {
    r"\b(?:keeps? to|inside|outside|at|all|its|their|these) "
    r"(?:its |their |these |the |all )?bars?\b|"
    r"\bbars? (?:is|of|for) |\(bar \d": "tolerance, or target",
    r"\bthe books\b|\bbooks (?:of|balance)": "packet accounting",
    r"\bwhat nothing exceeds\b": "upper bound",
    r"\bbystanders?\b": "overhearing node",
    r"\btwo-way\b": "bidirectional",
    r"\bsearch(?:es)? in vain\b": "failed route discovery",
    r"\bpraised\b": "advertised link",
    r"\bUDP beside\b": "background UDP traffic",
    r"\b(?:given|gave) up\b": "dropped",
    r"\bseams?\b": "interface",
    r"\bcontent with a gap\b": "optimality gap",
}
CODE = re.compile(r"^ *```.*?^ *```\s*$|<!--.*?-->", re.MULTILINE | re.DOTALL)
# What is no sentence of ours: tables, headings, quotations.
APART = re.compile(r"^\s*(?:\||#+ |>).*$", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
INLINE = re.compile(r"`[^`]*`")
QUOTED = re.compile(r'"[^"\n]*"')
ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.) ", re.MULTILINE)
END = re.compile(r"(?:(?<=[.!?:;])|(?<=[.!?][)\"'*]))\s+(?=[\"'(`*A-Z0-9\[]|ns-\d)|\n\s*\n")
ABBREVIATED = re.compile(r"\b(e\.g|i\.e|cf|vs|al|Fig|pp)\.")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a Markdown page; code counts as a word, an item of a list ends one."""
    text = INLINE.sub(
        lambda code: "_".join(code[0].split()), APART.sub("\n\n", CODE.sub("\n\n", text))
    )
    text = ABBREVIATED.sub(lambda short: short[1].replace(".", ""), LINK.sub(r"\1", text))
    for part in END.split(ITEM.sub("\n\n", text)):
        if part.strip():
            yield " ".join(part.split())


def long_sentences(text: str) -> list[str]:
    return [one for one in sentences(text) if len(one.split()) > LONGEST]


def wrong_terms(text: str) -> list[tuple[str, str]]:
    """List the private terms of a page, outside code and quotations, each with the field's."""
    prose = QUOTED.sub("", INLINE.sub("", LINK.sub(r"\1", CODE.sub("", text))))
    return [
        (found[0], right)
        for wrong, right in TERMS.items()
        for found in re.finditer(wrong, prose, re.IGNORECASE)
    ]
