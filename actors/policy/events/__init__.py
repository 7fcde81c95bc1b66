"""Events of agents before anything is made of them: parsing, cutting, commands."""
