"""Charts of sweeps: any column over any key that was varied, with confidence bands.

`naming` finds out which columns are meant, `chart` what is to be drawn, `drawing` and `vega` put it
into files, `stored` reads it from the store of a sweep.
"""
