"""What developers of LoRa meshes argue about: ten questions, as they were asked in 2026.

Questions of the developers of Meshtastic and MeshCore (`questions.toml`), answered on made places.
"""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Row

from .figures import RUN, figure

FIGURES: tuple[FigureSpec, ...] = tuple(figure(question) for question in RUN)
ROWS: tuple[Row, ...] = ()
