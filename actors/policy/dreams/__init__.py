"""What is found out while nobody is looking: replay, connections, insights, plans, summaries."""
