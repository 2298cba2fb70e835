"""`multihop view`: what is served and what is not, what is said of damaged traces, exports."""

from __future__ import annotations

import base64
import http.client
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import polars as pl
import pytest

from multihop.engine.errors import OutputError
from multihop.viewing import TraceFolder, export
from multihop.viewing.folder import manifest
from multihop.viewing.server import Server, listen

FRAMES = pl.DataFrame({"frame": [0], "start_ns": [5], "length_ns": [7]})


def trace(folder: Path, **description: object) -> Path:
    folder.mkdir(parents=True)
    FRAMES.write_parquet(folder / "frames.parquet", compression="snappy")
    run = {"format": 1, "scenario": {"name": "chain"}, "scheme": "udp", **description}
    (folder / "run.json").write_text(json.dumps(run))
    return folder


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    folder = trace(tmp_path / "trace")
    (folder / "secret.txt").write_text("not part of the trace")
    shown = [TraceFolder.read(folder)]
    one = listen(0, manifest(shown), shown)
    thread = Thread(target=one.serve_forever)
    thread.start()
    yield one
    one.shutdown()
    thread.join()
    one.server_close()


def get(server: Server, path: str, host: str = "127.0.0.1:1") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.putrequest("GET", path, skip_host=True)
    connection.putheader("Host", host)
    connection.endheaders()
    answer = connection.getresponse()
    found = answer.status, answer.read()
    connection.close()
    return found


def test_the_page_and_the_tables_are_served(server: Server) -> None:
    assert b"viewer.js" in get(server, "/")[1]
    told = json.loads(get(server, "/manifest.json")[1])
    assert told["title"] == "chain"
    assert told["runs"][0]["title"] == "udp"
    assert told["runs"][0]["tables"]["frames"] == ["0/frames.parquet"]
    status, content = get(server, "/0/frames.parquet")
    assert status == 200
    assert pl.read_parquet(content).equals(FRAMES)


@pytest.mark.parametrize(
    "path",
    [
        "/0/secret.txt",
        "/0/../secret.txt",
        "/0/%2e%2e/secret.txt",
        "/../../../etc/passwd",
        "//etc/passwd",
        "/0/",
        "/sources.sha256",
        "/server.py",
    ],
)
def test_nothing_else_is_served(server: Server, path: str) -> None:
    assert get(server, path)[0] == 404


def test_pages_of_other_names_may_not_ask(server: Server) -> None:
    # A name of somebody else that leads to this machine.
    assert get(server, "/manifest.json", "evil.example:80")[0] == 403
    assert get(server, "/manifest.json", "localhost:80")[0] == 200
    assert get(server, "/manifest.json", "localhost")[0] == 200, "browsers leave port 80 out"


def test_it_listens_on_this_machine_only(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_a_busy_port_is_passed_over() -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        other = listen(port, manifest([]), [])
        assert other.port != port
        other.server_close()


def test_parts_are_told_in_their_order(tmp_path: Path) -> None:
    folder = trace(tmp_path / "trace", complete=False)
    (folder / "frames.parquet").unlink()
    (folder / "frames").mkdir()
    for number in (2, 1):
        FRAMES.write_parquet(folder / "frames" / f"part-00000{number}.parquet")
    shown = TraceFolder.read(folder, 1)
    assert shown.tables["frames"] == [
        "1/frames/part-000001.parquet",
        "1/frames/part-000002.parquet",
    ]
    assert set(shown.files) == set(shown.tables["frames"])


def test_what_is_no_trace_is_refused_and_what_is_damaged_is_not(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="there is no such folder"):
        TraceFolder.read(tmp_path / "missing")
    with pytest.raises(OutputError, match=r"multihop run .* --trace"):
        TraceFolder.read(tmp_path)
    folder = trace(tmp_path / "trace")
    (folder / "run.json").write_text('{"format": 1, "na')
    shown = TraceFolder.read(folder)
    assert shown.troubles == ("run.json cannot be read: it is cut off or damaged.",)
    assert shown.run is None
    assert shown.title == "trace"


def test_an_export_holds_everything(tmp_path: Path) -> None:
    shown = [TraceFolder.read(trace(tmp_path / "trace", scheme="</script><b>"))]
    path = export(tmp_path / "deep" / "page.html", manifest(shown, view="t=1"), shown)
    text = path.read_text()
    assert "./viewer" not in text
    told = re.search(r'id="manifest">(.*?)</script>', text)
    assert told is not None
    assert json.loads(told[1])["runs"][0]["title"] == "</script><b>"
    data = re.search(r'id="0/frames.parquet">([^<]*)</script>', text)
    assert data is not None
    assert pl.read_parquet(base64.b64decode(data[1])).equals(FRAMES)
