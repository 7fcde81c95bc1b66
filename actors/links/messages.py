"""Messages about links: what may have others now."""

from actors.embedding.messages import VectorsArrived
from actors.memory.messages import MemoriesChanged

LinksMessage = VectorsArrived | MemoriesChanged
