"""Small faults, as slips are: where each is, the text that it replaces, and what it puts there."""

from typing import NamedTuple


class Fault(NamedTuple):
    """A fault. `file`: where it is. `old`: the text that `new` replaces, found once there. `about`: what is wrong."""

    file: str
    old: str
    new: str
    about: str


FAULTS = (
    Fault(
        "bpe_core/training/trainer.py",
        "if now >= self.least:",
        "if now > self.least:",
        "A pair whose count falls to the least of the queue is lost.",
    ),
    Fault(
        "bpe_core/training/trainer.py",
        "            words = words[np.argsort(self._turn_of[words])]\n",
        "",
        "Words that move to the end of the corpus do not keep their order, which decides ties.",
    ),
    Fault(
        "bpe_core/settings.py",
        "Training starts from {meaning}.",
        "Training starts from .",
        'The menu of starts says "Training starts from .".',
    ),
    Fault(
        "bpe_core/record/frames.py",
        "Place(negative_count, place.key, place.row, until, NOT_LOOKED_UP)",
        "Place(negative_count, 0, place.row, until, NOT_LOOKED_UP)",
        "A pair whose count has fallen has a wrong key among the leading pairs.",
    ),
    Fault(
        "bpe_core/record/pair_history.py",
        "there = self.site_until[at] > steps[pair]",
        "there = self.site_until[at] >= steps[pair]",
        "A site is there for one step longer than it lives.",
    ),
    Fault(
        "bpe_core/text/special_tokens.py",
        "sorted(names, key=len, reverse=True)",
        "sorted(names, key=len)",
        "Of two special tokens that begin alike the shorter one is found.",
    ),
    Fault(
        "bpe_core/text/class_rules.py",
        "np.where(left > aligned - size,",
        "np.where(left >= aligned - size,",
        "Digits that are grouped from the end of a number are cut at another place.",
    ),
    Fault(
        "bpe_core/tokenizer/streaming.py",
        'yield text + decoder.decode(b"", final=True)',
        "yield text",
        "A stream that ends within a character loses the rest.",
    ),
    Fault(
        "bpe_core/files/tokenizer_json_write.py",
        '"ignore_merges": tokenizer.whole_words,',
        '"ignore_merges": False,',
        "A written tokenizer.json does not say that whole words are looked up first.",
    ),
    Fault(
        "bpe_core/files/tiktoken_ranks.py",
        "!= tokenizer.merges or not _all_made(order, tokenizer.merges):",
        "!= tokenizer.merges:",
        "Ranks are written for a vocabulary with tokens that no merge makes.",
    ),
    Fault(
        "bpe_core/files/gguf.py",
        '"special": vocabulary.types[i] != USER_DEFINED}',
        '"special": vocabulary.types[i] == UNKNOWN}',
        "The control tokens of a GGUF are not special.",
    ),
    Fault(
        "bpe_core/models/wordpiece.py",
        "if len(word) > self.longest_word:",
        "if len(word) >= self.longest_word:",
        "The longest word that WordPiece takes is unknown.",
    ),
    Fault(
        "bpe_core/models/unigram.py",
        "if value[start] + score > value[end]:",
        "if value[start] + score >= value[end]:",
        "Of two equally good segmentations Unigram takes the other one.",
    ),
    Fault(
        "bpe_core/chat/conversation.py",
        "for turn in range(before.turns + 1):",
        "for turn in range(before.turns):",
        "The thinking of the last answer is not found where a request breaks off.",
    ),
    Fault(
        "bpe_core/counting/found_files.py",
        "        self._budget.take(len(block))\n",
        "",
        "An archive may unpack to any size: its limit is not asked.",
    ),
    Fault(
        "bpe_core/sameness/search.py",
        "if part.state is not PartState.EQUAL]",
        "if part.state is PartState.DIFFERENT]",
        "No text is made for the parts that cannot be compared.",
    ),
    Fault(
        "bpe_core/cli/commands/encode.py",
        "specials=given.specials, add_special_tokens=given.add_special_tokens)\n            _show_text",
        "specials=given.specials)\n            _show_text",
        "The command show does not heed an option.",
    ),
    Fault(
        "bpe_core/pictures/resources.py",
        "if at >= len(encoding.walk):",
        "if at > len(encoding.walk):",
        "A picture that asks for the token after the last gets an error of the server.",
    ),
    Fault(
        "bpe_core/pictures/shared/numbers.js",
        r"const COMMA = /^(\d+,\d{1,2}|",
        r"const COMMA = /^(\d+,\d{1,3}|",
        "A price of 1,000 is read as 1.",
    ),
    Fault(
        "bpe_core/pictures/shared/elements.js",
        "  if (text) made.textContent = text;\n  return made;",
        "  if (text) made.innerHTML = text;\n  return made;",
        "A picture takes a text as markup: it is not escaped.",
    ),
    Fault(
        "bpe_core/pictures/paper/html.py",
        """label = Markup(' title="{}"').format(title)""",
        """label = Markup(f' title="{title}"')""",
        "The title of a token's chip is not escaped.",
    ),
    Fault(
        "bpe_core/pictures/tokens/token_view.html",
        '<div class="bar"></div>',
        '<div class="bar" id="bytes"></div>',
        "An id is there twice, once in another markup.",
    ),
    Fault(
        "bpe_core/pictures/site/engine.js",
        "if (size !== bytes || await sha256(content) !== expected) {",
        "if (size !== bytes) {",
        "The site takes a file of the same size whose hash is another.",
    ),
    Fault(
        "pages/parts/server/resource_route.py",
        "if given is None or not given.is_connected:",
        "if given is None:",
        "A handle is answered after its tab has gone.",
    ),
    Fault(
        "pages/parts/server/resource_route.py",
        "return Refusal.BUSY if given.under_way >= MOST_OF_ONE else given",
        "return given",
        "One handle may have any number of requests under way.",
    ),
    Fault(
        "pages/parts/server/resource_route.py",
        "return asking.hostname is not None and asking.hostname in here | named",
        "return asking.hostname is None or asking.hostname in here | named",
        'A page without an origin of its own, which browsers call "null", is answered.',
    ),
    Fault(
        "pages/parts/state/links.py",
        '"right-least": "right_min_count"',
        '"right-least": "left_min_count"',
        "An old link sets the least count of the other side.",
    ),
    Fault(
        "pages/parts/trainings/runs.py",
        "characters * (UNSPLIT if chosen.splitter.long_pieces else 1)",
        "characters",
        "The cost of a training does not ask how the text is split.",
    ),
    Fault(
        "pages/parts/chat/chat_views.py",
        '"Two prompts", lambda',
        '"Several prompts", lambda',
        "The README names a view that has another name.",
    ),
    Fault(
        "pages/parts/ui/style/learn.css",
        "(.verdict.missed) { --verdict: var(--wrong);",
        "(.verdict.missed) { --verdict: var(--right);",
        "A wrong answer has the colour of a right one.",
    ),
)
