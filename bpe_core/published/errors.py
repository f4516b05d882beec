"""The one error of this package."""


class PublishedError(ValueError):
    """A vocabulary that cannot be had; the message is one sentence for the screen."""
