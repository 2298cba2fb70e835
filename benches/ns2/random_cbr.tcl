# CBR/UDP over a network read from a file: nodes at given places, given flows, static routes.
#   ns random_cbr.tcl -scen random150.json -load 100 -rts 0|3000 -rp TUNNEL|AODV \
#                     -prewarm 1 -warm 10 -dur 60 -seed 1
# The file is JSON with numbers only: {"nodes": [[x,y],...], "flows": [[source,destination],...],
# "routes": [[source,...,destination],...]}; -rp TUNNEL needs "routes", AODV finds its own.
source [file join [file dirname [info script]] lib.tcl]
opt_defaults { scen "" }
set opt(rp) TUNNEL
opt_parse
if {$opt(scen) eq ""} { set opt(scen) [file join [file dirname [info script]] random150.json] }
set fd [open $opt(scen)]
# such a file becomes a Tcl list by exchanging the brackets and separators
set scen [lindex [string map [list "\[" " \{" "\]" "\} " , " " : " "] [read $fd]] 0]
close $fd
net_build [dict get $scen nodes] [llength [dict get $scen flows]]
if {$opt(rp) eq "TUNNEL"} { foreach p [dict get $scen routes] { route_install $p } }
cbr_run [dict get $scen flows]
