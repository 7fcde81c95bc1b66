"""Sentence embeddings by llama.cpp, in a process of their own.

`process` is what the daemon talks to; `worker` runs on the other side of the pipe; `native` is
the only module that calls llama.cpp. `provision` brings a model into the data home, `conversion`
and `gguf` make its file, `models` knows what each model wants.
"""
