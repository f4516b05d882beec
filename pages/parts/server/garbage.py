"""When the server looks for garbage, and gives free memory back: right after an answer, when nobody waits for another.

Garbage are unused objects that refer to each other. Python looks for them in the middle of whatever it does. A look at
all objects takes up to 0.25 s after hundreds of visitors, and in that time nobody is answered. But who has just been
answered reads before he asks again, so this is the moment to look. Python's own look comes later than usual, for a
server that is never quiet. After a look, memory that is no longer used goes back to the system.
"""

from __future__ import annotations

import gc
from time import monotonic

from bpe_core.processes import give_memory_back

EVERY = 30.0  # seconds between two looks, at least
ENOUGH = 10  # looks at younger objects; after them Python usually looks at all objects
OWN = 50  # looks at younger objects before Python looks at all objects by itself


class Garbage:
    """The looks for garbage of this process. `last`: when the last look ended, by `monotonic`."""

    def __init__(self) -> None:
        """Begin without a look."""
        self.last = 0.0

    def begin(self) -> None:
        """Leave out all objects that there are now, such as modules: they stay."""
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], OWN)

    def collect(self) -> None:
        """Look for garbage and give free memory back, unless the last look was a moment ago or there is little new."""
        if monotonic() - self.last >= EVERY and gc.get_count()[2] >= ENOUGH:
            gc.collect()
            give_memory_back()
            self.last = monotonic()


GARBAGE = Garbage()
