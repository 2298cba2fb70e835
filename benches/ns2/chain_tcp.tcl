# FTP over TCP on a chain, a square grid or a network read from a file.
#   ns chain_tcp.tcl -hops 8 -tcp Newreno -window 20 -pkt 1000 -rp AODV|DSR|STATIC|TUNNEL -seed 1
#   ns chain_tcp.tcl -topo grid -side 13 -nflows 12 -tcp Vegas ...
#   ns chain_tcp.tcl -topo file -scen random150.json -rate 1Mb -pkt 512 -rts 0|3000 ...
# -tcp Tahoe|Reno|Newreno|Sack1|Vegas      -sink plain|delack
# -topo chain  nflows flows, all from the first node to the last
#       grid   side x side nodes; half of the flows from left to right, half from top to bottom, on
#              evenly spaced lines
#       file   nodes, flows and (for TUNNEL) routes from JSON, see random_cbr.tcl
# -move FILE moves the nodes as an ns-2 movement file says, setdest's form; over AODV or DSR.
# -gather 1 lets all nodes stand together before time zero, where each says something to its neighbour:
#           ARP tables are full then.  Routes are forgotten before time zero.
# -stagger s lets every flow start s seconds after the one before it.
# -udp "s d k" adds CBR of k kbit/s from node s to node d with packets of -pkt bytes.
# -lose "n ..." throws away the nth, ... data packet that reaches the sink of flow 0; the SYN is 0.
# Flows start at T0+start plus uniform(0,jitter); measured for dur seconds from T0+start+warm on.
# With -cwnd 1 every change of every flow's cwnd_ is recorded; -cwndfile keeps the record of flow 0.
# Over AODV a segment has pkt+40 bytes of network packet, an ACK 40.  The others put 20 bytes
# on every packet, so the TCP agents are told to count 20 bytes less: the same sizes on the air.
# Agent/TCP/Vegas counts no header: -vegashdr bytes are added to its segments (stock ns-2: 0).
source [file join [file dirname [info script]] lib.tcl]
opt_defaults {
    topo chain  hops 8   side 13   scen ""   nflows 1   tcp Newreno  sink plain  window 20
    pkt 1000    udp ""   start 5   jitter 0  warm 0     dur 120      minrto 0.2  cwnd 1
    cwndfile "" vegashdr 40 lose ""     move ""   stagger 0
    gather 0
}
array set opt {rate 2Mb rp AODV}
opt_parse

set pos {}; set flows {}; set paths {}; set d $opt(dist)
switch -exact -- $opt(topo) {
    chain {
        set line {}
        for {set i 0} {$i <= $opt(hops)} {incr i} {
            lappend pos [list [expr 50.0+$i*$d] 50.0]
            lappend line $i
        }
        for {set i 0} {$i < $opt(nflows)} {incr i} { lappend paths $line }
    }
    grid {
        set n $opt(side); set half [expr $opt(nflows)/2]
        for {set r 0} {$r < $n} {incr r} {
            for {set c 0} {$c < $n} {incr c} {
                lappend pos [list [expr 50.0+$c*$d] [expr 50.0+$r*$d]]
            }
        }
        set across {}; set down {}
        for {set i 0} {$i < $half} {incr i} {
            set l [expr int(($i+0.5)*$n/$half)]
            set row {}; set col {}
            for {set j 0} {$j < $n} {incr j} { lappend row [expr $n*$l+$j]; lappend col [expr $n*$j+$l] }
            lappend across $row; lappend down $col
        }
        set paths [concat $across $down]
    }
    file {
        set scen [scen_read $opt(scen)]
        set pos [dict get $scen nodes]
        set flows [dict get $scen flows]
        if {$opt(rp) eq "TUNNEL"} { set paths [dict get $scen routes] }
    }
    default { puts stderr "unknown -topo $opt(topo)"; exit 2 }
}
if {![llength $flows]} {
    foreach p $paths { lappend flows [list [lindex $p 0] [lindex $p end]] }
}
set segment $opt(pkt)
if {$opt(tcp) eq "Vegas"} { incr segment $opt(vegashdr) }
if {$opt(rp) ne "AODV"} {
    if {$opt(tcp) eq "Vegas"} { incr segment -20 }
    Agent/TCP set tcpip_base_hdr_size_ 20
    Agent/TCPSink set packetSize_ 20
}
Agent/TCP set minrto_ $opt(minrto)
net_build $pos [llength $flows]
if {$opt(gather)} { set T0 [expr $T0+0.4*$nn+40.0] }
if {$opt(move) ne ""} { nodes_move $opt(move) }
if {$opt(gather)} {
    for {set i 0} {$i < $nn} {incr i} {
        set u [new Agent/UDP]; $u set packetSize_ 20; $ns attach-agent $node($i) $u
        set z [new Agent/Null]; $ns attach-agent $node([expr ($i+1)%$nn]) $z
        $ns connect $u $z
        $ns at [expr 0.5+0.4*$i] "$u send 20 hello"
        lassign [lindex $pos $i] x y
        $node($i) set X_ [expr [lindex [lindex $pos 0] 0]+0.1*$i]
        $node($i) set Y_ [lindex [lindex $pos 0] 1]
        $ns at [expr $T0-30.0] "$node($i) setdest $x $y 1e7"
    }
}
if {$opt(rp) eq "TUNNEL"} {
    foreach p $paths { route_install $p; route_install [lreverse $p] }
}

# ---- agents ----------------------------------------------------------------
set u0 [sched_uid]
set rng [new RNG]; $rng seed [expr 1000+$opt(seed)]
set class [expr {$opt(tcp) eq "Tahoe" ? "Agent/TCP" : "Agent/TCP/$opt(tcp)"}]
set sinkclass [expr {$opt(tcp) eq "Sack1" ? "Agent/TCPSink/Sack1" : "Agent/TCPSink"}]
if {$opt(sink) eq "delack"} { append sinkclass /DelAck }
set k 0
foreach f $flows {
    lassign $f s t
    if {$opt(prewarm)} {
        set w [new Agent/UDP]; $ns attach-agent $node($s) $w
        set z [new Agent/Null]; $ns attach-agent $node($t) $z
        $ns connect $w $z
        prewarm_flow $k $w $opt(pkt)
    }
    set tcp($k) [new $class]
    $tcp($k) set packetSize_ $segment
    $tcp($k) set window_ $opt(window)
    $tcp($k) set fid_ $k
    $ns attach-agent $node($s) $tcp($k)
    set sink($k) [new $sinkclass]
    $ns attach-agent $node($t) $sink($k)
    $ns connect $tcp($k) $sink($k)
    if {$opt(lose) ne "" && $k == 0} {
        set lossy [new ErrorModel/List]
        $lossy unit pkt
        $lossy droplist $opt(lose)
        $lossy target $sink(0)
        $lossy drop-target [new Agent/Null]
        [$node($t) demux] install [$sink(0) set agent_port_] $lossy
    }
    set ftp($k) [new Application/FTP]
    $ftp($k) attach-agent $tcp($k)
    set begin($k) [expr $T0+$opt(start)+$k*$opt(stagger)+[$rng uniform 0 1]*$opt(jitter)]
    $ns at $begin($k) "$ftp($k) start"
    if {$opt(cwnd)} {
        if {$opt(cwndfile) ne "" && $k == 0} {
            set cwndpath($k) $opt(cwndfile)
            set cwndfd($k) [open $cwndpath($k) w]
        } else {
            set cwndfd($k) [file tempfile cwndpath($k)]
        }
        $tcp($k) attach $cwndfd($k)
        $tcp($k) trace cwnd_
    }
    incr k
}
if {$opt(udp) ne ""} {
    lassign $opt(udp) s t r
    set bu [new Agent/UDP]; $bu set packetSize_ $opt(pkt); $bu set fid_ 99
    set bs [new Agent/LossMonitor]
    $ns attach-agent $node($s) $bu
    $ns attach-agent $node($t) $bs
    $ns connect $bu $bs
    set bc [new Application/Traffic/CBR]
    $bc set packetSize_ $opt(pkt)
    $bc set rate_ [expr $r*1000.0]
    $bc attach-agent $bu
    $ns at [expr $T0+$opt(start)+[$rng uniform 0 0.1]] "$bc start"
}

# ---- measurement -------------------------------------------------------------
set COUNTS {ack_ ndatapack_ nrexmitpack_ nrexmit_ ncwndcuts_}
proc tcp_snap {tag} {
    global tcp k mark bs COUNTS
    for {set i 0} {$i < $k} {incr i} {
        foreach v $COUNTS { set mark($tag,$i,$v) [$tcp($i) set $v] }
    }
    set mark($tag,udp) [expr {[info exists bs] ? [$bs set npkts_] : 0}]
}
# of flow i in the window: {time mean of cwnd_, of min(cwnd_, window_), mean over changes, changes}
proc cwnd_means {i} {
    global cwndfd cwndpath opt begin tm te
    flush $cwndfd($i)
    set fd [open $cwndpath($i)]
    set sum 0.0; set capped 0.0; set events 0.0; set n 0
    set last $tm; set c 0.0
    while {[gets $fd line] >= 0} {
        set t [lindex $line 0]; set new [lindex $line end]
        if {$t < $begin($i)-1e-5} { set c $new; continue } ;# set up, not a change
        if {$t > $te} break
        if {$t >= $tm-1e-5} {
            set dt [expr $t-$last]; set last $t
            set sum [expr $sum+$dt*$c]
            set capped [expr $capped+$dt*min($c,$opt(window))]
            set events [expr $events+$new]; incr n
        }
        set c $new
    }
    close $fd
    set dt [expr $te-$last]
    set sum [expr $sum+$dt*$c]
    set capped [expr $capped+$dt*min($c,$opt(window))]
    return [list [expr $sum/$opt(dur)] [expr $capped/$opt(dur)] [expr {$n ? $events/$n : 0.0}] $n]
}
proc tcp_report {} {
    global mark k opt tm te u0 bs COUNTS cwndfd cwndpath
    foreach v $COUNTS { set sum($v) 0; set each($v) {} }
    set good {}
    for {set i 0} {$i < $k} {incr i} {
        foreach v $COUNTS {
            set x [expr $mark(b,$i,$v)-$mark(a,$i,$v)]
            incr sum($v) $x; lappend each($v) $x
        }
        lappend good [format %.3f [expr [lindex $each(ack_) end]*$opt(pkt)*8.0/1000.0/$opt(dur)]]
    }
    set words {}
    if {$opt(cwnd)} {
        set names {cwnd_mean win_mean cwnd_event_mean cwnd_events}
        foreach v $names { set cw($v) 0.0; set per($v) {} }
        for {set i 0} {$i < $k} {incr i} {
            foreach v $names x [cwnd_means $i] {
                set cw($v) [expr $cw($v)+$x]
                lappend per($v) [format %.2f $x]
            }
            if {$i > 0 || $opt(cwndfile) eq ""} { close $cwndfd($i); file delete $cwndpath($i) }
        }
        foreach v {cwnd_mean win_mean cwnd_event_mean} {
            lappend words $v=[format %.3f [expr $cw($v)/$k]]
        }
        lappend words cwnd_events=[expr int($cw(cwnd_events))]
        lappend words per_flow_cwnd=[join $per(cwnd_mean) "/"]
    }
    set udp [expr ($mark(b,udp)-$mark(a,udp))*$opt(pkt)*8.0/1000.0/$opt(dur)]
    result goodput_kbps=[format %.3f [expr $sum(ack_)*$opt(pkt)*8.0/1000.0/$opt(dur)]] \
        per_flow_kbps=[join $good "/"] udp_kbps=[format %.3f $udp] [join $words] \
        tx_pkts=$sum(ndatapack_) rexmit_pkts=$sum(nrexmitpack_) timeouts=$sum(nrexmit_) \
        per_flow_timeouts=[join $each(nrexmit_) "/"] cwnd_cuts=$sum(ncwndcuts_) tm=$tm te=$te \
        events=[expr [sched_uid]-$u0] simtime=[format %.1f $te]
    finish
}
set tm [expr $T0+$opt(start)+$opt(warm)]
set te [expr $tm+$opt(dur)]
$ns at $tm "tcp_snap a"
$ns at $te "tcp_snap b"
$ns at [expr $te+1e-6] tcp_report
$ns run
