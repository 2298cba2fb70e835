"""The gallery: short lessons that teach one thing each, with networks to run."""

from .course import Course, read_course
from .lesson import Lesson, course, lesson, lessons

__all__ = ["Course", "Lesson", "course", "lesson", "lessons", "read_course"]
