"""Events of agents before anything is made of them: agents, their payloads, parsing, cutting, commands."""
