"""From pretokens to their counts, however large: texts, files in blocks, several processes, a Dask cluster."""
