"""llama.cpp, as little of it as sentence embeddings need. Only the worker imports this.

One `Model` has one owner and one thread: llama.cpp aborts the process when a context is shared. The
settings are the ones without traps: context, batch and micro-batch are all the same number, never
above the model's training length (a longer text would abort the process), with flash attention (a
list costs 2 to 4 times more without) and one thread (two threads spin at barriers on a busy
machine: p95 114 instead of 31 ms).
"""

import array
import ctypes
import math
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from daemon.embedding import build_llama

Floats: TypeAlias = npt.NDArray[np.float32]

WINDOW: Final = 512  # tokens of one decode, special ones included
SEQUENCES: Final = 8  # texts of one decode

_LOG_ERROR = 3
_FLASH_ATTENTION_ON = 1
_NO_POOLING = 0  # it is done here: llama.cpp gives either the tokens' vectors or the text's
_WORD_STARTS = ("\u2581", "\u0120")  # of WordPiece and SentencePiece, and of byte-level BPE


class CannotLoad(Exception):
    """llama.cpp is not installed, or refuses this file."""


class DecodeFailed(Exception):
    """llama.cpp refused a batch; the next one may succeed."""


class Decoded(Struct, frozen=True):
    """Result of one text: its vector (float32, little-endian, of length 1), and its tokens' vectors."""

    vector: bytes
    tokens: Floats  # a row a token, special ones included


class Model:
    """A loaded GGUF sentence encoder."""

    def __init__(self, path: str, *, pooling: str, may_go_on: Callable[[], bool]) -> None:
        """Load `path`. A decode ends early as soon as `may_go_on` says False.

        `may_go_on` is called between the nodes of the graph, on the decoding thread.
        """
        api = _library()
        self._api = api
        self._complaints: list[str] = []
        self._log = api.llama_log_callback(self._hear)
        api.llama_log_set(self._log, None)
        api.llama_backend_init()
        parameters = api.llama_model_default_params()
        parameters.n_gpu_layers = 0
        self._model = api.llama_model_load_from_file(path.encode(), parameters)
        if not self._model:
            raise CannotLoad(self._complaint())
        self.dims: int = api.llama_model_n_embd_out(self._model)
        self.window = min(WINDOW, int(api.llama_model_n_ctx_train(self._model)))
        self._abort = api.ggml_abort_callback(_inverted(may_go_on))
        self._pooling = pooling
        self._context = api.llama_init_from_model(self._model, self._settings())
        if not self._context:
            raise CannotLoad(self._complaint())
        self._vocabulary = api.llama_model_get_vocab(self._model)
        self._last = {api.llama_vocab_sep(self._vocabulary), api.llama_vocab_eos(self._vocabulary)}
        self._batch = api.llama_batch_init(self.window, 0, SEQUENCES)

    def _settings(self) -> Any:
        settings = self._api.llama_context_default_params()
        settings.n_ctx = settings.n_batch = settings.n_ubatch = self.window
        settings.n_seq_max = SEQUENCES
        settings.kv_unified = True  # else each text would get only a share of the context
        settings.n_threads = settings.n_threads_batch = 1
        settings.embeddings = True
        settings.pooling_type = _NO_POOLING
        settings.flash_attn_type = _FLASH_ATTENTION_ON
        settings.abort_callback = self._abort
        return settings

    def tokens(self, text: str) -> list[int]:
        """The tokens of `text` with the special ones at both ends; `[SEP]` in it is plain text."""
        encoded = text.encode("utf-8", "replace")
        room = len(encoded) + 2
        found = (ctypes.c_int32 * room)()
        count = self._api.llama_tokenize(
            self._vocabulary, encoded, len(encoded), found, room, True, False
        )
        if count < 0:
            raise DecodeFailed("the text has more tokens than bytes")
        return found[:count]

    def cut(self, tokens: Sequence[int]) -> list[int]:
        """Cut `tokens` to a window at most, the closing one kept."""
        if len(tokens) <= self.window:
            return list(tokens)
        closing = [token for token in tokens[-1:] if token in self._last]
        return [*tokens[: self.window - len(closing)], *closing]

    def words(self, tokens: Sequence[int]) -> list[str]:
        """The word around each token, in small letters; of a special one nothing."""
        words: list[str] = []
        starts: list[int] = []
        for token in tokens:
            text = self._text(token)
            if not text:
                words.append("")
                starts = []
                continue
            if not starts or text.startswith(_WORD_STARTS):
                starts = []
            starts.append(len(words))
            before = words[starts[0]] if len(starts) > 1 else ""
            word = before + text.lstrip("".join(_WORD_STARTS)).lower()
            words.append(word)
            for place in starts:
                words[place] = word
        return words

    def _text(self, token: int) -> str:
        if self._api.llama_vocab_is_control(self._vocabulary, token):
            return ""
        text: bytes = self._api.llama_vocab_get_text(self._vocabulary, token)
        return text.decode("utf-8", "replace")

    def decoded(self, texts: Sequence[Sequence[int]]) -> list[Decoded] | None:
        """Results of the texts, or None when the decode was ended.

        `texts` are at most `SEQUENCES` and together at most a window long.
        """
        batch = self._batch
        position = 0
        for number, tokens in enumerate(texts):
            for offset, token in enumerate(tokens):
                batch.token[position] = token
                batch.pos[position] = offset
                batch.n_seq_id[position] = 1
                batch.seq_id[position][0] = number
                batch.logits[position] = True
                position += 1
        batch.n_tokens = position
        # Encoders keep nothing between decodes; a decoder used for embeddings does.
        self._api.llama_memory_clear(self._api.llama_get_memory(self._context), False)
        status = self._api.llama_decode(self._context, batch)
        if status == 2:  # GGML_STATUS_ABORTED
            return None
        if status != 0:
            raise DecodeFailed(f"llama_decode returned {status}: {self._complaint()}")
        return self._taken([len(tokens) for tokens in texts])

    def _taken(self, lengths: Sequence[int]) -> list[Decoded]:
        """Copies of the vectors of the decode before, text by text."""
        pointer = self._api.llama_get_embeddings(self._context)
        if not pointer:
            raise DecodeFailed("the model gives no vectors for tokens")
        whole = ctypes.string_at(pointer, 4 * self.dims * sum(lengths))
        rows = np.frombuffer(whole, "<f4").reshape(-1, self.dims)
        decoded: list[Decoded] = []
        start = 0
        for length in lengths:
            tokens = rows[start : start + length]
            decoded.append(Decoded(unit(self._pooled(tokens)), tokens))
            start += length
        return decoded

    def _pooled(self, tokens: Floats) -> "array.array[float]":
        match self._pooling:
            case "cls":
                pooled = tokens[0]
            case "last":
                pooled = tokens[-1]
            case _:
                pooled = tokens.mean(axis=0, dtype=np.float64)
        return array.array("f", pooled.astype("<f4").tobytes())

    def _hear(self, level: int, text: bytes, _: object) -> None:
        if level == _LOG_ERROR:
            self._complaints = [*self._complaints[-7:], text.decode("utf-8", "replace").strip()]

    def _complaint(self) -> str:
        """The first thing llama.cpp complained of, which is the cause of the rest."""
        return self._complaints[0] if self._complaints else "llama.cpp gives no reason"


def unit(numbers: "array.array[float]") -> bytes:
    """`numbers` scaled to length one, as little-endian float32."""
    length = math.sqrt(math.fsum(number * number for number in numbers))
    if not math.isfinite(length) or length == 0.0:
        raise DecodeFailed("the model gives no direction for this text")
    return array.array("f", [number / length for number in numbers]).tobytes()


def _inverted(may_go_on: Callable[[], bool]) -> Callable[[object], bool]:
    """As llama.cpp asks it: whether to abort."""
    return lambda _: not may_go_on()


def _library() -> Any:
    """The ctypes bindings. They publish no types, hence Any: here and nowhere else."""
    try:
        return build_llama.bindings()
    except (ImportError, OSError, RuntimeError) as error:
        raise CannotLoad(
            f"llama-cpp-python cannot be imported ({error}): run `reverie model setup`"
        ) from None
