"""Dreams: connections, insights and episodes, found while nobody is looking."""
