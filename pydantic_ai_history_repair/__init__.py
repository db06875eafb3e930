"""Repairs broken message histories for Pydantic AI agents."""
