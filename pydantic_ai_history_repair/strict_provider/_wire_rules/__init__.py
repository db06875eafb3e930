"""What each provider demands: frozen data, a source for each, no logic."""
