"""Events of agents before anything is made of them: parsing, redaction, cutting, commands."""
