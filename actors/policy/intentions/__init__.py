"""What somebody means to do later, and when it is time to be reminded of it."""
