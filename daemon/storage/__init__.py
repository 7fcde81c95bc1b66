"""Storage: what each subject reads and writes in SQL; tables, indexes and connections have folders of their own."""
