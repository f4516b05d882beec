"""What several tests of the Algorithms page use: its models of two texts."""

from bpe_core import Settings
from bpe_core.models.all_models import train_models
from pages.parts.texts.corpora import example

PAGE = "pages/algorithms.py"
PROBLEM = 'class="problem"'
GUIDE = train_models(example("cats-eat").text, Settings("whitespace", "characters", vocab_size=30))
STORY = train_models(example("short-story").text, Settings("gpt2", "characters", vocab_size=300))


def plain(markup: str) -> str:
    """HTML without its tags."""
    return "".join(part.split(">", 1)[-1] for part in markup.split("<")).replace("&lt;", "<")
