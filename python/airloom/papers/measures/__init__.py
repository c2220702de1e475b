"""The measures of each paper, one module by the id of the paper."""
