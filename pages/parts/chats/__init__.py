"""Chats on pages: their turns and templates."""
