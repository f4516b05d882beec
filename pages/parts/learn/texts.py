"""The texts of the lessons, and names with digits: lessons compute their numbers, so no string in them has a digit."""

from __future__ import annotations

from typing import Final

from bpe_core.published import PUBLISHED
from bpe_core.text.pretokenizers import PRETOKENIZERS

GPT2_KEY: Final = "gpt2"  # the key of a pretokenizer, and of a vocabulary
CL100K_KEY: Final = "cl100k"  # the key of a pretokenizer
RIGHT_KEY: Final = "digits-right"  # the key of a pretokenizer
SINGLE_KEY: Final = "digits"  # the key of a pretokenizer
GPT2 = PUBLISHED[GPT2_KEY].title
GPT2_YEAR: Final = 2019  # the year in which GPT-2 was published
RIGHT, SINGLE = "threes from the right", "single digits"
CL100K = PRETOKENIZERS[CL100K_KEY].title

COMPOUND = ("light", "house")
PARROT = "🦜"
PARTS_OF_MEANING = {"strawberry": ("straw", "berry")}
SAME_IN_LANGUAGES = (
    "The cat drinks tea.",
    "Die Katze trinkt Tee.",
    "Кошка пьёт чай.",
    "बिल्ली चाय पीती है।",
    "猫喝茶。",
)
WORDS_AND_SPACES = "dog strawberry once upon a time"
NUMBERS = "2023 1978 1999 127 677"
LONG_NUMBER = "1234567"
SUM = "1234567 + 89"
GLITCH = " SolidGoldMagikarp"
SPECIAL = "<|endoftext|>"
LETTERS_APART = "strawberry banana Mississippi"
PROMPT = "once upon a time there was"
DRIFTING = "hello drift"
CUT = "I'll pay 1234 dollars!"
ADDRESS = ("http:", "//")  # the beginning of an address: the end of a prompt, and what follows the prompt
TALK = "What time is it? It is noon. Is it late? No. Thank you!"
THOUGHT = "I look at the clock first."  # a model writes it before its answer
FERRET = "We see the parrot. The parrot sees a ferret.\nYou hear the parrot. The parrot sleeps.\nI see the parrot!\n"
FERRETS = " ferrets"
