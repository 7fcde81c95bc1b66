"""Sentence embeddings by llama.cpp, in a process of their own: `process` is our side of the pipe, `worker` the other."""
