"""Tuning: which values of a scenario's keys serve an aim best, tested on other seeds.

space    which values a key may have
aims     what is sought, and what must hold
racing   settings that are shown to be worse get no more seeds
asking   which settings to try next (Optuna, or all of them where they are few)
tuning   the whole: races, then a test on seeds and scenarios that no race has seen
page     what was found, as a page
"""
