"""From pretokens to their counts, however large: texts, files in blocks, several threads, a Dask cluster."""
