"""Tables as LaTeX, for papers: `tabular` with the rules of the package booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def escaped(text: str) -> str:
    """Write a text as LaTeX prints it."""
    return "".join(SPECIAL.get(sign, sign) for sign in text)


def tabular(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a table as a `tabular`; it needs `\usepackage{booktabs}`.

    Columns whose cells all begin with a digit, a sign or a point stand right, others left.
    """
    cells = [[escaped(cell) for cell in row] for row in rows]
    columns = list(zip(*cells, strict=True)) if cells else [()] * len(header)
    kinds = "".join("r" if column and all(map(_is_number, column)) else "l" for column in columns)
    lines = [" & ".join(row) + r" \\" for row in cells]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{kinds}}}",
            r"\toprule",
            " & ".join(map(escaped, header)) + r" \\",
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _is_number(cell: str) -> bool:
    """Whether a cell is a number, or the sign for a missing one."""
    return cell == "-" or cell.lstrip("+-.")[:1].isdigit()
