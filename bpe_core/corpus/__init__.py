"""From a corpus of any size to the counts of its pretokens: texts, files in blocks, threads, a Dask cluster."""
