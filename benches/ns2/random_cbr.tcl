# CBR/UDP over a network read from a file: nodes at given places, given flows, static routes.
#   ns random_cbr.tcl -scen random150.json -load 100 -rts 0|3000 -rp TUNNEL|AODV|DSR \
#                     -prewarm 1 -warm 10 -dur 60 -seed 1
# The file is JSON (scen_read in lib.tcl); -rp TUNNEL needs its "routes", AODV and DSR find
# their own.  -move FILE moves the nodes as an ns-2 movement file says.
source [file join [file dirname [info script]] lib.tcl]
opt_defaults { scen "" move "" }
set opt(rp) TUNNEL
opt_parse
if {$opt(scen) eq ""} { set opt(scen) [file join [file dirname [info script]] random150.json] }
set scen [scen_read $opt(scen)]
net_build [dict get $scen nodes] [llength [dict get $scen flows]]
if {$opt(move) ne ""} { nodes_move $opt(move) }
if {$opt(rp) eq "TUNNEL"} { foreach p [dict get $scen routes] { route_install $p } }
cbr_run [dict get $scen flows]
