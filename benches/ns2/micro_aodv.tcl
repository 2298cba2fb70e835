# Probes of stock AODV; always writes a full trace (-trace FILE).  run_aodv.py reads it.
#   -mode search   one packet every 250 ms from t=1 to a node that nobody hears
#   -mode chain    CBR from t=1 along a chain of -hops hops, 200 m apart
# In mode chain -move "n t ..." moves node n 2 km away at time t; a second time brings it back.
# -detour n adds two nodes that lead around chain node n with one hop more.
source [file join [file dirname [info script]] lib.tcl]
opt_defaults { mode chain hops 5 pps 10 pkt 512 dur 30 move "" detour "" }
array set opt {rp AODV rate 2Mb fulltrace 1}
opt_parse

# Packets of Agent/UDP's "send" would be of type udp: AODV drops such a packet on a link failure and
# leaves the route as it is.  Only packets of type cbr, tcp and the like make it act.
proc flow {from to gap} {
    global ns node opt
    set u [new Agent/UDP]; $u set packetSize_ $opt(pkt); $ns attach-agent $node($from) $u
    set z [new Agent/Null]; $ns attach-agent $node($to) $z
    $ns connect $u $z
    set c [new Application/Traffic/CBR]
    $c set packetSize_ $opt(pkt)
    $c set interval_ $gap
    $c attach-agent $u
    $ns at 1.0 "$c start"
}
if {$opt(mode) eq "search"} {
    net_build {{50 50} {250 50} {3000 50}}
    set gap 0.25
    set end 2
} else {
    set pos {}
    for {set i 0} {$i <= $opt(hops)} {incr i} { lappend pos [list [expr 50.0+200.0*$i] 50.0] }
    if {$opt(detour) ne ""} {
        set x [expr 50.0+200.0*$opt(detour)]
        lappend pos [list [expr $x-100.0] 220.0] [list [expr $x+100.0] 220.0]
    }
    lappend pos {50.0 3000.0} ;# alone: makes room for the node that moves
    net_build $pos
    set gap [expr 1.0/$opt(pps)]
    set end $opt(hops)
}
flow 0 $end $gap
if {$opt(move) ne ""} {
    lassign $opt(move) n away back
    set x [expr 50.0+200.0*$n]
    $ns at $away "$node($n) setdest $x 2050.0 1.0e6"
    if {$back ne ""} { $ns at $back "$node($n) setdest $x 50.0 1.0e6" }
}
$ns at $opt(dur) { result time=$opt(dur); finish }
$ns run
