"""Any model's tokenizer by its name on the Hugging Face Hub, through the Hub's own client.

The client finds its token, its cache and its server as its users know them (`HF_TOKEN`, `HF_HOME`, `HF_ENDPOINT`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from bpe_core.files.formats import READABLE
from bpe_core.files.reading import MAX_BYTES

PREFIX = "hub:"  # marks a Hub model wherever a tokenizer is named
SECONDS = 10.0  # until the Hub has answered
# The first of these sets of files that a model has is fetched.
_PREFERRED = ("tokenizer.json", "tekken.json", "SentencePiece .model", "vocab.json + merges.txt")
CHOICES = tuple(READABLE[name].files for name in _PREFERRED)
_NAME = re.compile(r"[\w.-]{1,96}(/[\w.-]{1,96})?", re.ASCII)


class HubError(ValueError):
    """A model whose tokenizer cannot be had from the Hub; the message is one sentence for the screen."""


class OutOfReach(HubError):  # noqa: N818 (the model may be there)
    """The Hub does not answer, or not from here."""


def model_name(text: str) -> str:
    """Return the name of a model on the Hub, from what a person wrote; `HubError` where it is none.

    >>> model_name(" https://huggingface.co/openai-community/gpt2/ ")
    'openai-community/gpt2'
    """
    name = text.strip().removeprefix("https://huggingface.co/").strip("/")
    if not name:
        raise HubError("Type a model's name, such as openai-community/gpt2.")
    if not _NAME.fullmatch(name):
        raise HubError(f"{name[:60]!r} is not the name of a model: write it as on the Hub, owner/model.")
    return name


def fetch(name: str) -> dict[str, bytes]:
    """Return the files of a model's tokenizer, by their names; `loads` opens them, and `open_safely` in a server.

    `name` is that on the Hub, as `openai-community/gpt2`. What was fetched before comes from the client's cache, where
    the Hub cannot be reached. Raises `HubError`, one sentence for the screen, where it cannot be had.
    """
    name = model_name(name)
    with _their_errors(name):
        sizes = _sizes(name)
        files = next((choice for choice in CHOICES if sizes.keys() >= set(choice)), None)
        if files is None:
            raise HubError(f"{name} has no tokenizer that can be opened: none of {_all_names()}.")
        _check_size(name, sum(sizes[file] for file in files))
        contents = {file: _content(name, file) for file in files}
        _check_size(name, sum(map(len, contents.values())))
        return contents


def _check_size(name: str, size: int) -> None:
    if size > MAX_BYTES:
        raise HubError(f"The tokenizer of {name} is larger than {MAX_BYTES >> 20} MB, which is not read.")


def _content(name: str, file: str) -> bytes:
    """The content of a file; of one that is too large the beginning."""
    from huggingface_hub import hf_hub_download

    with open(hf_hub_download(name, file, etag_timeout=SECONDS), "rb") as opened:
        return opened.read(MAX_BYTES + 1)


def _cached(name: str, file: str) -> str | None:
    """Where the client's cache has a file that was fetched before."""
    from huggingface_hub import try_to_load_from_cache

    path = try_to_load_from_cache(name, file)
    return path if isinstance(path, str) else None


def _all_names() -> str:
    return ", ".join(" + ".join(choice) for choice in CHOICES)


def _sizes(name: str) -> dict[str, int]:
    """The files of a model with their sizes, 0 where the Hub does not say it.

    Where the Hub cannot be reached, those that were fetched before.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    try:
        model = HfApi().model_info(name, files_metadata=True, timeout=SECONDS)
    except HfHubHTTPError:
        raise
    except Exception:  # of the kinds that the HTTP library has for a network that is not there
        cached = {file: 0 for choice in CHOICES for file in choice if _cached(name, file)}
        if not cached:
            raise
        return cached
    return {file.rfilename: file.size or 0 for file in model.siblings or ()}


@contextmanager
def _their_errors(name: str) -> Iterator[None]:
    """The client's errors as sentences."""
    from huggingface_hub import errors

    try:
        yield
    except HubError:
        raise
    except errors.GatedRepoError:
        raise HubError(
            f"{name} is gated: accept its terms on the Hub, and set HF_TOKEN to a token of yours for the server."
        ) from None
    except (errors.RepositoryNotFoundError, errors.HFValidationError):
        raise HubError(f"There is no model {name} on the Hub, or it is private.") from None
    except errors.HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else "no answer"
        raise HubError(f"The Hub could not give {name} now ({status}); try again later.") from None
    except (OSError, RuntimeError):
        raise OutOfReach(f"The Hub cannot be reached from here, so {name} could not be fetched.") from None
    except Exception as error:
        if type(error).__module__.split(".")[0] not in ("httpx", "httpx2", "httpcore2"):
            raise
        raise OutOfReach(f"The Hub cannot be reached from here, so {name} could not be fetched.") from None
