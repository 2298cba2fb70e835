"""Networks that exist: positions and links from files that operators publish, as scenarios.

`reading` finds out what a file is; `csv_tables`, `geojson`, `netjson`, `freifunk` and `graphs` read
it. `measures` converts what is told of links, `joining` makes a `mesh` of nodes and links, and
`findings` reports what became of them. `placing` puts nodes into metres (`plane`, `layout`),
`flows` chooses who talks to whom, `presets` has radios, and `writing` makes the scenario. `fcd`
makes one of a trace of vehicles.
"""
