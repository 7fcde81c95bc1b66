"""What an agent's event says, before anything is made of it: parsing, redaction, cutting, commands."""
