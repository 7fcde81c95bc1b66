"""Sentence embeddings by llama.cpp, in a process of their own.

`process` is the daemon's side; `worker` runs on the other side of the pipe; only `native` calls
llama.cpp. `provision` brings a model into the data home, `gguf` makes its file,
`models` knows the needs of each model, which are here and which is wanted.
"""
