"""How much a network could carry at most.

Linear programs over what may happen at the same time:

    network      what the engine knows: who hears whom, how long frames take, which way flows go
    activities   what a hop takes, and what cannot happen at the same time
    sets         sets of activities that can: the heaviest one
    program      the linear program over such sets, by column generation
    fairness     what is made as large as possible
    bound        all of it, for a scenario
    shares       what runs reach of it

Nothing here runs a simulation.
"""
