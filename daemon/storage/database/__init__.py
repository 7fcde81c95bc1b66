"""The database: its connections, its schema and how writes are carried out."""
