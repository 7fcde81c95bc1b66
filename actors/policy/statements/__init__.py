"""What a session's texts state: facts, claims, conclusions, hypotheses, what happened."""
