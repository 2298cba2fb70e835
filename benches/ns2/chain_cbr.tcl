# CBR/UDP over chains, crosses and a single-hop star.
#   ns chain_cbr.tcl -topo chain|bichain|cross|bicross -hops 10 -load 100 -pkt 512 -rate 1Mb \
#                    -rts 0|3000 -rp STATIC|TUNNEL|AODV|DSR -prewarm 1 -warm 10 -dur 60 -seed 1
#   ns chain_cbr.tcl -topo star -senders 10 -radius 50 -rp TUNNEL -load 1000 ...
# chain    one flow along the chain            bichain  one flow in each direction
# cross    two chains that share their middle node, one flow on each
# bicross  the same with a flow in each direction on each
# star     node 0 in the middle, the senders evenly spaced on a circle around it
# -load is kbit/s of payload per source.  -rts is RTSThreshold_: 0 = RTS/CTS on, 3000 = off.
source [file join [file dirname [info script]] lib.tcl]
opt_defaults { topo chain hops 10 senders 2 radius 50 }
opt_parse
set h $opt(hops); set d $opt(dist)
set pos {}; set paths {}
set mid [expr $h/2]
switch -exact -- $opt(topo) {
    chain - bichain {
        set line {}
        for {set i 0} {$i <= $h} {incr i} {
            lappend pos [list [expr 50.0+$i*$d] 50.0]
            lappend line $i
        }
        lappend paths $line
        if {$opt(topo) eq "bichain"} { lappend paths [lreverse $line] }
    }
    cross - bicross {
        set horz {}; set vert {}
        for {set i 0} {$i <= $h} {incr i} {
            lappend pos [list [expr 50.0+$i*$d] [expr 50.0+$mid*$d]]
            lappend horz $i
        }
        for {set i 0} {$i <= $h} {incr i} {
            if {$i == $mid} { lappend vert $mid } else {
                lappend vert [llength $pos]
                lappend pos [list [expr 50.0+$mid*$d] [expr 50.0+$i*$d]]
            }
        }
        lappend paths $horz $vert
        if {$opt(topo) eq "bicross"} { lappend paths [lreverse $horz] [lreverse $vert] }
    }
    star {
        set pi 3.14159265358979
        set c [expr 50.0+$opt(radius)]
        lappend pos [list $c $c]
        for {set i 1} {$i <= $opt(senders)} {incr i} {
            set a [expr 2.0*$pi*($i-1)/$opt(senders)]
            lappend pos [list [expr $c+$opt(radius)*cos($a)] [expr $c+$opt(radius)*sin($a)]]
            lappend paths [list $i 0]
        }
    }
    default { puts stderr "unknown -topo $opt(topo)"; exit 2 }
}
set flows {}
foreach p $paths { lappend flows [list [lindex $p 0] [lindex $p end]] }
net_build $pos [llength $flows]
if {$opt(rp) eq "TUNNEL"} { foreach p $paths { route_install $p } }
cbr_run $flows
