"""Which loop trains what: the compiled one (`compiled_trainer`), or the one that needs nothing (`trainer`).

Both leave the same lifetimes. The compiled loop needs the extra `fast`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_core.settings import Settings
from bpe_core.text.alphabet import FlatCorpus
from bpe_core.text.arrays import Counts
from bpe_core.training.compiling import LOOP, has_room
from bpe_core.training.trainer import Trainer, room_for_merges

if TYPE_CHECKING:
    from bpe_core.training.compiled_trainer import CompiledTrainer

COMPILED_RULES = ("first-seen", "lowest-id", "hugging-face")  # the others compare bytes, or move words
LARGEST = 2**31 - 2  # symbols and separators; the compiled loop has positions of four bytes
# Seconds without the compiled loop, as measured: 40 MB of many languages have 5 million symbols, and take 3.6 s.
SECONDS_A_SYMBOL, SECONDS_A_MERGE = 0.5e-6, 15e-6
# Bytes, as measured: what numba takes, and what each symbol takes while the compiled loop trains and indexes it.
NUMBA_BYTES, BYTES_A_SYMBOL = 140 << 20, 300


def trainer_for(
    flat: FlatCorpus, word_counts: Counts, settings: Settings, most: int | None = None
) -> Trainer | CompiledTrainer:
    """Return the trainer of a training. Arguments: as for `Trainer`."""
    symbols = len(flat.symbols)
    seconds = SECONDS_A_SYMBOL * symbols + SECONDS_A_MERGE * min(room_for_merges(flat, settings, most), symbols)
    suits = settings.tie_rule in COMPILED_RULES and symbols <= LARGEST
    # Numba takes memory that the other loop leaves to the text. So a process with a limit asks before it imports numba:
    # afterwards nothing gives the memory back, and a text that the other loop trains would be refused.
    suits = suits and has_room(NUMBA_BYTES + BYTES_A_SYMBOL * symbols)
    loop = LOOP.for_training(seconds) if suits else None
    if loop is None:
        return Trainer(flat, word_counts, settings, most)
    from bpe_core.training.compiled_trainer import CompiledTrainer  # imports numba

    return CompiledTrainer(flat, word_counts, settings, most, loop)
