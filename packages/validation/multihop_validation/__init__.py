"""Validation: this simulator beside ns-2 2.35, on one page.

>>> from multihop_validation import validate
>>> validate().passed
"""

from .page import Validation, validate

__all__ = ["Validation", "validate"]
