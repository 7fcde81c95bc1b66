"""Storage: reads and writes of each subject in SQL; tables, indexes and connections have folders of their own."""
