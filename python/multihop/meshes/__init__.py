"""Networks that exist: positions and links from files that operators publish, as scenarios.

`reading` finds out what a file is, `csv_tables`, `geojson`, `netjson` and `freifunk` read it into a
`mesh`, `plane` puts latitude and longitude into metres, `writing` makes the scenario.
"""
