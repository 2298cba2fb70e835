"""LECN section 4: the thresholds that figures 6 and 7 show."""
