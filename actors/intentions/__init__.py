"""What somebody means to do later, and is reminded of."""
