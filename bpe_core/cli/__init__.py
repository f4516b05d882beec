"""The commands of `python -m bpe_core`."""
