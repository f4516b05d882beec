"""Fetching a model's tokenizer from the Hugging Face Hub, with the Hub's own client.

The environment sets the client's token, cache and server, as always: `HF_TOKEN`, `HF_HOME`, `HF_ENDPOINT`. A server
whose visitors choose the model uses neither the token nor the cache.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from threading import Thread
from time import monotonic

from bpe_core.extras import needed
from bpe_core.files.belonging import Folder
from bpe_core.files.beside import NEIGHBOURS
from bpe_core.files.format import FormatError
from bpe_core.files.opening import READABLE
from bpe_core.files.reading import MAX_BYTES

PREFIX = "hub:"  # begins the name of a model on the Hub
SECONDS = 10.0  # for an answer of the Hub, and for each part of a file
PUBLIC_SECONDS = 60.0  # for a file that everybody may read
CACHED_SECONDS = 25.0  # for a file that the client writes into its cache
MOST_FILES = 50  # that are fetched of one model; each is asked for by itself
MOST_LOOKED_INTO = 12  # files of a model that has none under a usual name
_ENDS = (".json", ".txt", ".model", ".bpe", ".tiktoken")  # the files that are looked into then
# The sets of files that a model may have. The first set that the model has is fetched.
_PREFERRED = ("tokenizer.json", "tekken.json", "SentencePiece .model", "vocab.json + merges.txt", ".tiktoken")
CHOICES = (
    *(READABLE[name].own_names[0] for name in _PREFERRED),
    *(names for name in _PREFERRED for names in READABLE[name].other_names),
)
_WANTED = (*dict.fromkeys(file for choice in CHOICES for file in choice), *NEIGHBOURS)
_NAME = re.compile(r"[\w.-]{1,96}(/[\w.-]{1,96})?", re.ASCII)


class HubError(ValueError):
    """A tokenizer that cannot be fetched from the Hub; the message is one sentence for the screen."""


class OutOfReach(HubError):  # noqa: N818 (the model may be there)
    """The Hub cannot be reached from this machine."""


def model_name(text: str) -> str:
    """Return the name of a model from a name or an address as typed; `HubError` if it is neither.

    >>> model_name(" https://huggingface.co/openai-community/gpt2/ ")
    'openai-community/gpt2'
    """
    name = text.strip().removeprefix("https://huggingface.co/").strip("/")
    if not name:
        raise HubError("Type a model's name, such as openai-community/gpt2.")
    if not _NAME.fullmatch(name):
        raise HubError(f"{name[:60]!r} is not the name of a model: write it as on the Hub, owner/model.")
    return name


def fetch(name: str, private: bool = True) -> dict[str, bytes]:
    """Return the files of a model's tokenizer, name → content, for `loads` (in a server, for `open_safely`).

    `name`: the name of the model, such as `openai-community/gpt2`. `private`: whether to use the token and the cache of
    this machine. If `private` is True and the Hub cannot be reached, the files come from the cache. If it is False,
    only public models are found, and nothing is written to the disk. Raises `HubError` if there are no files.
    """
    name = model_name(name)
    with _their_errors(name, private):
        sizes = _sizes(name, private)
        own = next((choice for choice in CHOICES if sizes.keys() >= set(choice)), ())
        own = own or _found_by_content(name, sizes, private)
        if not own:
            usual = ", ".join(" + ".join(choice) for choice in CHOICES[: len(_PREFERRED)])
            raise HubError(f"{name} has no tokenizer that can be opened: none of {usual}.")
        return _contents(name, [*own, *(file for file in NEIGHBOURS if file in sizes)], sizes, private)


def _found_by_content(name: str, sizes: Mapping[str, int], private: bool) -> tuple[str, ...]:
    """Return the files of a model's only tokenizer, whatever their names are; () if there is none."""
    fetched: dict[str, bytes] = {}

    def read(file: str, most: int) -> bytes:
        if file not in fetched:
            fetched.update(_contents(name, [file], sizes, private))
        return fetched[file][:most]

    named = {file: size for file, size in sizes.items() if file.endswith(_ENDS) and "/" not in file}
    smallest = sorted(named.items(), key=lambda row: row[1])[:MOST_LOOKED_INTO]
    try:
        return Folder(dict(smallest), read, READABLE.values()).tokenizer()
    except FormatError as error:
        raise HubError(f"Of the files of {name} {error}; download those of one, and open them.") from None


def fetch_files(name: str, wanted: Iterable[str], private: bool = True) -> dict[str, bytes]:
    """Return the wanted files that a model has, name → content; `private` and errors as for `fetch`.

    `wanted`: names of files, or patterns in which "*" stands for the name of any file in a folder.
    """
    name, patterns = model_name(name), [*wanted]
    with _their_errors(name, private):
        sizes = _sizes(name, private, patterns)
        files = dict.fromkeys(file for pattern in patterns for file in sorted(sizes) if _fits(file, pattern))
        return _contents(name, [*files], sizes, private)


def _fits(file: str, pattern: str) -> bool:
    return file.count("/") == pattern.count("/") and fnmatchcase(file, pattern)


def _contents(name: str, files: list[str], sizes: Mapping[str, int], private: bool) -> dict[str, bytes]:
    """Return the content of each of a model's files; `HubError` if they are too many or too large. `sizes`: as said."""
    if len(files) > MOST_FILES:
        raise HubError(f"{name} has {len(files):,} files to fetch, and more than {MOST_FILES} are not fetched.")
    _check_size(name, sum(sizes[file] for file in files))
    contents = {file: (_content if private else _public_content)(name, file) for file in files}
    _check_size(name, sum(map(len, contents.values())))
    return contents


def _late(seconds: float, name: str) -> OutOfReach:
    return OutOfReach(f"The Hub took more than {seconds:.0f} seconds to send {name}; try again later.")


def _check_size(name: str, size: int) -> None:
    if size > MAX_BYTES:
        raise HubError(f"The tokenizer of {name} is larger than {MAX_BYTES >> 20} MB, which is not read.")


def _content(name: str, file: str) -> bytes:
    """Return the content of a file; only the beginning if the file is too large.

    If a server falls silent, the client tries again for over a minute. So it runs in a thread, and is not waited for
    longer than `CACHED_SECONDS`. What it fetches after that is in its cache when the model is asked for again.
    """
    from huggingface_hub import hf_hub_download

    fetched: Future[str] = Future()

    def download() -> None:
        try:
            fetched.set_result(hf_hub_download(name, file, etag_timeout=SECONDS))
        except Exception as error:
            fetched.set_exception(error)

    Thread(target=download, daemon=True).start()  # a thread of a pool would keep the process from ending
    try:
        path = fetched.result(CACHED_SECONDS)
    except FutureTimeout:
        raise OutOfReach(
            f"The Hub took more than {CACHED_SECONDS:.0f} seconds to send {name}; try again later."
        ) from None
    with open(path, "rb") as opened:
        return opened.read(MAX_BYTES + 1)


def _public_content(name: str, file: str) -> bytes:
    """Return the content of a file that everybody may read. Nothing is written to the disk.

    The client's own download is not used: it writes to the disk, trusts the size that a server states, and tries again
    for a minute if a server falls silent.
    """
    from huggingface_hub import get_session, hf_hub_url
    from huggingface_hub.utils import hf_raise_for_status  # type: ignore[attr-defined]

    content, last = bytearray(), monotonic() + PUBLIC_SECONDS
    with get_session().stream("GET", hf_hub_url(name, file), timeout=SECONDS) as response:
        hf_raise_for_status(response)
        for part in response.iter_bytes():
            content += part
            _check_size(name, len(content))
            if monotonic() > last:
                raise OutOfReach(
                    f"The Hub took more than {PUBLIC_SECONDS:.0f} seconds to send {name}; try again later."
                )
    return bytes(content)


def _cached(name: str, wanted: Iterable[str]) -> list[str]:
    """Return the wanted files of a model that are in the client's cache. `wanted`: as for `fetch_files`."""
    from huggingface_hub import try_to_load_from_cache

    patterns = [*wanted]
    known = [file for file in (*_WANTED, *patterns) if "*" not in file]
    paths = {file: try_to_load_from_cache(name, file) for file in known}
    # any file shows where the folder of the model is
    folders = {Path(path).parents[file.count("/")] for file, path in paths.items() if isinstance(path, str)}
    return [
        path.relative_to(folder).as_posix()
        for folder in folders
        for pattern in patterns
        for path in folder.glob(pattern)
    ]


def _sizes(name: str, private: bool, wanted: Iterable[str] = _WANTED) -> dict[str, int]:
    """Return name → size of a model's files, with 0 for a size that is not known.

    If `private` is on and the Hub cannot be reached, return the wanted files in the client's cache, with the size 0.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    try:
        model = HfApi(token=None if private else False).model_info(name, files_metadata=True, timeout=SECONDS)
    except HfHubHTTPError:
        raise
    except Exception:  # the HTTP library raises many kinds of errors where there is no network
        if not private:
            raise
        cached = _cached(name, wanted)
        if not cached:
            raise
        return dict.fromkeys(cached, 0)
    return {file.rfilename: file.size or 0 for file in model.siblings or ()}


@contextmanager
def _their_errors(name: str, private: bool) -> Iterator[None]:
    """Raise the client's errors as a `HubError`."""
    with needed("files", "fetching a model from the Hugging Face Hub"):
        from huggingface_hub import errors

    try:
        yield
    except HubError:
        raise
    except errors.GatedRepoError:
        remedy = "accept its terms on the Hub, and set HF_TOKEN to a token of yours"
        if not private:
            remedy = "fetch its files from the Hub yourself, and open them here"
        raise HubError(f"{name} is gated: {remedy}.") from None
    except (errors.RepositoryNotFoundError, errors.HFValidationError):
        raise HubError(f"There is no model {name} on the Hub, or it is private.") from None
    except errors.HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else "no answer"
        raise HubError(f"The Hub could not give {name} now ({status}); try again later.") from None
    except (OSError, RuntimeError):
        raise OutOfReach(f"The Hub cannot be reached from here, so {name} could not be fetched.") from None
    except (AttributeError, LookupError, TypeError, ValueError):  # from the client, if an answer has another shape
        raise HubError(f"The Hub's answer about {name} cannot be read.") from None
    except Exception as error:
        if type(error).__module__.split(".")[0] not in ("httpx", "httpx2", "httpcore2"):
            raise
        raise OutOfReach(f"The Hub cannot be reached from here, so {name} could not be fetched.") from None
