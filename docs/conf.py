"""The documentation as a site: `make docs` writes it into `dist/docs`.

Pages are the Markdown files of this folder as they are. Links that leave it, to code or to the
README, lead into the repository.
"""

import re
from pathlib import Path

import multihop

project = "multihop"
version = release = multihop.__version__
author = "The multihop authors"
copyright = author
html_title = f"multihop {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["reproduced", "validation/findings"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
# A pygments lexer for each kind of block.
highlight_language = "text"

html_theme = "furo"
html_theme_options = {
    "source_repository": "https://github.com/multihop/multihop",
    "source_branch": "main",
    "source_directory": "docs/",
}
html_copy_source = False
html_show_sphinx = False

# Docstrings mark code by single backticks.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_class_signature = "separated"

HERE = Path(__file__).resolve().parent
REPOSITORY = "https://github.com/multihop/multihop/tree/main"
LINK = re.compile(r"\]\((?!https?://|#)(?P<path>[^)#\s]+)(?P<anchor>#[^)]*)?\)")

# Pages whose tables lead to pages of their own, which then stand below them.
PARENTS = ("guides/scenarios", "guides/scenario/scheme")


def add_children(app, name, text):
    """Put the pages that a parent's tables name below it."""
    if name in PARENTS:
        children = re.findall(
            r"^\| .*\]\(((?:scenario/|scheme-)[\w/-]+)\.md\)", text[0], re.MULTILINE
        )
        text[0] += "\n```{toctree}\n:hidden:\n\n" + "\n".join(children) + "\n```\n"


CRATE = re.compile(r"\[(\w+)\]\(\.\./\.\./crates/\w+/src/lib\.rs\)")


def lead_to_rustdoc(app, name, text):
    """Let the names of crates lead to their pages by rustdoc, beside those of Sphinx."""
    if name == "reference/rust":
        text[0] = CRATE.sub(r'<a href="../rust/\1/index.html"><code>\1</code></a>', text[0])


def lead_out(app, name, text):
    """Let links that leave this folder, or lead to a folder, lead into the repository."""
    page = HERE / name

    def led(link):
        target = (page.parent / link["path"]).resolve()
        inside = target.is_relative_to(HERE)
        if inside and (target.is_file() or not target.exists()):
            return link[0]
        return f"]({REPOSITORY}/{target.relative_to(HERE.parent)}{link['anchor'] or ''})"

    text[0] = LINK.sub(led, text[0])


def setup(app):
    app.connect("source-read", add_children)
    app.connect("source-read", lead_to_rustdoc)
    app.connect("source-read", lead_out)
