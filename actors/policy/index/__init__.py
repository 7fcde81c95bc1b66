"""Search structures: postings, bits of vectors, tokens; arrays in, candidates out."""
