"""Counting the tokens of folders, tables and archives: files are found, become rows, and are counted as they are read.

found_files      paths, an archive, files in memory  →  files, and what is left out and why
file_rows        a file                              →  its rows: one for a text, one for each record of a table
table_records    a CSV, or a table with tabs         →  its records, as it has them and in values
file_counts      rows                                →  counts: tokens by file and by row, under several tokenizers
batch_counts     some texts, a tokenizer             →  tokens of each, or why a text has no count
other_notations  a file with data                    →  its tokens as JSON, YAML, CSV and TOON; the dearest keys
written_data     a text                              →  which data it is, and a shorter notation for it
own_tokens       texts                               →  what new tokens would save
prices           a price as it is written            →  its number; and what tokens cost
"""

from bpe_core.counting.counts import Counts as Counts
from bpe_core.counting.counts import FileCount as FileCount
from bpe_core.counting.file_counts import count_files as count_files
