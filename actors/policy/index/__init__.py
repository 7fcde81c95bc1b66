"""Search structures: postings, spellings, bits of vectors, tokens; arrays in, candidates out."""
