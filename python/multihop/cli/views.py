"""`view`: a trace, or a run of a scenario, in the browser."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .app import AsJson, Settings, app, check_file, scenario_file, with_scheme
from .output import console, print_json, print_table, say

if TYPE_CHECKING:
    from ..gallery import Lesson
    from ..viewing.folder import TraceFolder


def _lessons(incomplete: str) -> list[str]:
    """Complete the name of a lesson."""
    from ..gallery import lessons

    return [one.name for one in lessons() if one.name.startswith(incomplete)]


Port = Annotated[int, typer.Option(min=0, max=65535, help="Port; a busy one is passed over.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only serve; open no browser.")]
Export = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write one HTML file instead of serving.")
]
# The most runs that are shown side by side.
MOST = 2


@app.command()
def view(
    shown: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR|SCENARIO...", help="Folder of a trace, or scenario to run; at most two."
        ),
    ],
    scheme: Annotated[
        list[str], typer.Option(metavar="NAME", help="Run with this scheme; twice: side by side.")
    ] = [],  # noqa: B006
    settings: Settings = [],  # noqa: B006
    export: Export = None,
    at: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0, help="Where to begin; else at the first loss."),
    ] = None,
    port: Port = 8765,
    no_browser: NoBrowser = False,
    as_json: AsJson = False,
) -> None:
    """Replay a trace in the browser: every frame, every loss, every queue.

    The page is served on this machine only, until Ctrl-C is pressed. A scenario is run first.

    Example: multihop view results/trace

    Example: multihop view chain.toml --scheme udp --scheme cxcc
    """
    if at is not None and not math.isfinite(at):
        raise typer.BadParameter(f"--at {at} is no time; write seconds, as in 12.5")
    if export is not None:
        _check_export(export, shown)

    from ..viewing.folder import manifest

    with ExitStack() as stack:
        folders = _folders(shown, scheme, settings, stack)
        told = manifest(folders, view="" if at is None else f"t={at}")
        show(told, folders, (export, port, no_browser, as_json))


def _check_export(export: Path, shown: list[Path]) -> None:
    from ..results.result import make_folder

    make_folder(export.parent, "--export")
    check_file(export, "--export", *shown)


def _folders(
    shown: list[Path], schemes: list[str], given: list[str], stack: ExitStack
) -> list[TraceFolder]:
    """Return the traces to be shown, after running what has to be run."""
    from ..viewing.folder import TraceFolder

    count = len(shown) * max(1, len(schemes))
    if count > MOST:
        raise typer.BadParameter(f"{count} runs are too many to be shown side by side; at most 2")
    folders = [path for path in shown if path.is_dir() or not path.suffix]
    if folders and (schemes or given or len(folders) != len(shown)):
        raise typer.BadParameter(
            "a trace is shown as it is: give folders only, without --scheme and --set; or scenarios"
        )
    if folders:
        return [TraceFolder.read(path, number) for number, path in enumerate(folders)]
    files = [scenario_file(path, given) for path in shown]
    scenarios = [
        (with_scheme(file, name, "--scheme") if name else file).override({})
        for file in files
        for name in schemes or [""]
    ]

    from ..viewing.runs import trace_all

    place = Path(stack.enter_context(TemporaryDirectory(prefix="multihop-view-")))
    with console(error=True).status("running"):
        return trace_all(scenarios, place)


@app.command("playground")
def play(
    export: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a folder for a web server instead of serving."),
    ] = None,
    port: Port = 8765,
    no_browser: NoBrowser = False,
    as_json: AsJson = False,
) -> None:
    """Change, run and share scenarios in the browser, which runs the engine itself.

    The page is served on this machine only, until Ctrl-C is pressed. Nothing that is done in it
    leaves the browser.

    Example: multihop playground

    Example: multihop playground --export site
    """
    from ..gallery import course
    from ..viewing.playground import playground, write_site

    lessons = course()
    if export is None:
        told = playground(lessons)
        show(told, [], (None, port, no_browser, as_json), lessons.files())
        return
    _say_site(write_site(export, lessons), as_json=as_json)


@app.command()
def site(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Lessons: NAME.md, with NAME.toml beside it.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where to write the page.")],
    as_json: AsJson = False,
) -> None:
    """Make a page of your own lessons: Markdown with networks that run in the browser.

    Any web server can serve the page, which has the playground with it.

    Example: multihop site lecture --out public
    """
    from ..gallery import read_course
    from ..viewing.playground import write_site

    index = write_site(out, read_course(folder), first=True, option="--out")
    _say_site(index, as_json=as_json)


def _say_site(index: Path, *, as_json: bool) -> None:
    if as_json:
        print_json({"index": str(index)})
    else:
        say(f"written: {index}; any web server can serve the folder")


@app.command()
def gallery(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The lesson.", autocompletion=_lessons)
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write the lessons as HTML files, with an index."),
    ] = None,
    port: Port = 8765,
    no_browser: NoBrowser = False,
    as_json: AsJson = False,
) -> None:
    """Watch short scenarios that teach one thing each; without a name, list them.

    Example: multihop gallery hidden-terminal

    Example: multihop gallery --export lecture
    """
    from ..gallery import lesson, lessons

    chosen = [lesson(name)] if name else list(lessons())
    if export is not None:
        _export_lessons(chosen, export, as_json=as_json)
    elif name is None and as_json:
        print_json([{"name": one.name, "title": one.title, "text": one.text} for one in chosen])
    elif name is None:
        print_table(("name", "what it shows"), [(one.name, one.title) for one in chosen])
    else:
        from ..viewing.runs import trace_lesson

        with TemporaryDirectory(prefix="multihop-gallery-") as place:
            with console(error=True).status("running"):
                told, folders = trace_lesson(chosen[0], Path(place))
            show(told, folders, (None, port, no_browser, as_json))


def _export_lessons(chosen: list[Lesson], out: Path, *, as_json: bool) -> None:
    from ..results.result import make_folder
    from ..viewing.export import export as export_page, export_gallery
    from ..viewing.runs import trace_lesson

    make_folder(out, "--export")
    pages = []
    for one in chosen:
        with (
            TemporaryDirectory(prefix="multihop-gallery-") as place,
            console(error=True).status(one.name),
        ):
            pages.append(export_page(out / f"{one.name}.html", *trace_lesson(one, Path(place))))
    index = export_gallery(chosen, out)
    if as_json:
        print_json({"index": str(index), "files": [str(page) for page in pages]})
    else:
        say(f"written: {index} and {len(pages)} lessons")


def show(
    told: dict[str, Any],
    folders: list[TraceFolder],
    how: tuple[Path | None, int, bool, bool],
    beside: Mapping[str, bytes] | None = None,
) -> None:
    """Export a page, or serve it until Ctrl-C, with the files `beside` it."""
    from ..viewing.export import export as export_page
    from ..viewing.server import listen, serve

    export, port, no_browser, as_json = how
    if export is not None:
        path = export_page(export, told, folders)
        size = path.stat().st_size
        if as_json:
            print_json({"file": str(path), "bytes": size})
        else:
            say(f"written: {path} ({size / 1e6:.1f} MB)")
        return
    server = listen(port, told, folders, beside)
    titles = [folder.title for folder in folders]
    shown = [" and ".join(titles)] if titles else []

    def ready() -> None:
        if as_json:
            print_json({"url": server.url, "title": told["title"], "runs": titles})
        else:
            if port not in (0, server.port):
                say(f"port {port} is in use; this is another one")
            say(f"{server.url} shows {': '.join([told['title'], *shown])}")
            say("Ctrl-C ends it")
        sys.stdout.flush()

    serve(server, browse=not no_browser, ready=ready)
