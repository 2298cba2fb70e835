"""The gallery: short scenarios that teach one thing each, and what to look for in them."""

from .lesson import Lesson, lesson, lessons

__all__ = ["Lesson", "lesson", "lessons"]
