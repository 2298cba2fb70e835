# lib.tcl - helpers shared by the ns-2 (2.35, unpatched) reference scripts.
# Every script prints one line "RESULT key=value key=value ..." on stdout.

# ---- options -------------------------------------------------------------
proc opt_defaults {list} { global opt; foreach {k v} $list { set opt($k) $v } }
proc opt_parse {} {
    global opt argv
    foreach {k v} $argv {
        set k [string range $k 1 end]
        if {![info exists opt($k)]} {
            puts stderr "unknown option -$k; known: [lsort [array names opt]]"
            exit 2
        }
        set opt($k) $v
    }
}
opt_defaults {
    seed 1        rate 1Mb      basic 1Mb    rts 0        ifqlen 50
    rp STATIC     prop tworay   beta 4.0     sigma 4.0    trace ""
    dist 200      macdrops 1    srcmac 0     fulltrace 0  timing dsss
    warmroute 60  settle 6      prewarm 0    rtrtrace 0   spare 1
    short 7       long 4
}

# ---- radio ---------------------------------------------------------------
# rp  STATIC  DSDV learns the routes during warmroute seconds without traffic, ignores MAC failures
#             and is then frozen: no routing packet once traffic runs.  Chains and crosses only.
#     TUNNEL  routes are given (route_install): at every hop an Agent/Encapsulator addresses the
#             packet to the next hop and an Agent/Decapsulator there hands it on.  No routing
#             packets at all.  The outer header is the packet's 20-byte IP header on the air.
#     AODV    stock AODV.      DSR   stock DSR, behind the queue of four classes that it needs.
#             With spare 1, a node that nobody hears is made first and gets address 0: in stock DSR this
#             address also stands for everyone in an error that goes along with a request, so that the node
#             which has it takes such an error, when it hears its own request again, for one that it was told.
#     DUMB    one hop only, no IP header counted.
proc radio_setup {} {
    global opt
    Mac/802_11 set dataRate_  $opt(rate)
    Mac/802_11 set basicRate_ $opt(basic)
    Mac/802_11 set RTSThreshold_ $opt(rts)
    Mac/802_11 set ShortRetryLimit_ $opt(short)
    Mac/802_11 set LongRetryLimit_ $opt(long)
    # mixed: 802.11g beside older stations, 72 + 48 bits at 1 Mb/s before every frame
    if {$opt(timing) eq "mixed"} {
        Mac/802_11 set SIFS_ 0.000016
        Mac/802_11 set PreambleLength_ 72
    }
    if {$opt(prop) eq "shadowing"} {
        # mean power at distance d: friis(1 m) * d^-beta, plus N(0,sigma) dB for each frame and
        # receiver.  Thresholds: 95 % of frames above RX at 250 m, above CS at 550 m (z = 1.6448536)
        set pi 3.14159265358979
        set lambda [expr 3e8/914e6]
        set p1 [expr 0.28183815*$lambda*$lambda/(16.0*$pi*$pi)]
        set back [expr pow(10.0, -1.6448536*$opt(sigma)/10.0)]
        Phy/WirelessPhy set RXThresh_ [expr $p1*pow(250.0,-$opt(beta))*$back]
        Phy/WirelessPhy set CSThresh_ [expr $p1*pow(550.0,-$opt(beta))*$back]
        Propagation/Shadowing set pathlossExp_ $opt(beta)
        Propagation/Shadowing set std_db_ 0.0 ;# deterministic while routes are learnt
        Propagation/Shadowing set dist0_ 1.0
    }
}

# ---- network -------------------------------------------------------------
# pos: list of {x y}.  Leaves ns, node(i), nn, T0 (the time at which routes are ready).
# nflows: how many flows prewarm_flow will be called for.
proc net_build {pos {nflows 4}} {
    global opt ns node nn T0 tracefd prop_ prewarm_s
    global defaultRNG
    radio_setup
    set ns [new Simulator]
    $defaultRNG seed $opt(seed)
    set nn [llength $pos]
    set mx 0; set my 0
    foreach p $pos {
        if {[lindex $p 0] > $mx} {set mx [lindex $p 0]}
        if {[lindex $p 1] > $my} {set my [lindex $p 1]}
    }
    # node creation needs some trace file for its IFQ drop object; /dev/null when untraced
    set tracefd [open [expr {$opt(trace) ne "" ? $opt(trace) : "/dev/null"}] w]
    $ns trace-all $tracefd
    global ns_; set ns_ $ns ;# cmu-trace reads this global
    set spare [expr {$opt(rp) eq "DSR" && $opt(spare)}]
    set topo [new Topography]
    $topo load_flatgrid [expr int($mx)+100+2000*$spare] [expr int($my)+100]
    create-god [expr $nn+$spare]
    set rp $opt(rp)
    if {$rp eq "STATIC"} {
        set rp DSDV
        Agent/DSDV set use_mac_ 0
        Agent/DSDV set perup_ 5
        Agent/DSDV set wst0_ 0   ;# advertise at once (no settling time), needed with a short period
        Agent/DSDV set min_update_periods_ 1000000 ;# neighbour entries never time out
    }
    if {$rp eq "DUMB" || $rp eq "TUNNEL"} { set rp DumbAgent }
    set ifq [expr {$rp eq "DSR" ? "CMUPriQueue" : "Queue/DropTail/PriQueue"}]
    set pt Propagation/TwoRayGround
    if {$opt(prop) eq "shadowing"} { set pt Propagation/Shadowing }
    set prop_ [new $pt]
    if {$opt(prop) eq "shadowing"} { $prop_ seed raw [expr 7919*$opt(seed)+13] }
    set at OFF; set rt OFF; set mt OFF
    if {$opt(trace) ne ""} { set at ON }
    if {$opt(rtrtrace)}    { set at OFF; set rt ON } ;# routing layer only
    if {$opt(fulltrace)}   { set rt ON; set mt ON }
    $ns node-config -adhocRouting $rp -llType LL -macType Mac/802_11 \
        -ifqType $ifq -ifqLen $opt(ifqlen) -antType Antenna/OmniAntenna \
        -propInstance $prop_ -phyType Phy/WirelessPhy -channel [new Channel/WirelessChannel] \
        -topoInstance $topo -agentTrace $at -routerTrace $rt -macTrace $mt -movementTrace OFF
    if {$spare} { node_at [$ns node] [expr $mx+2000] $my }
    for {set i 0} {$i < $nn} {incr i} {
        if {[info procs node_hook] ne ""} { node_hook $i }
        set node($i) [$ns node]
        node_at $node($i) {*}[lindex $pos $i]
        if {$opt(rp) eq "TUNNEL"} { tunnel_exit $i }
    }
    # MAC drops without the volume of a full MAC trace
    if {$opt(trace) ne "" && $opt(macdrops) && !$opt(fulltrace)} {
        for {set i 0} {$i < $nn} {incr i} {
            [$node($i) set mac_(0)] drop-target [cmu-trace Drop "MAC" $node($i)]
        }
    }
    set T0 0.0
    if {$opt(rp) eq "STATIC"} {
        set T0 $opt(warmroute)
        for {set i 0} {$i < $nn} {incr i} {
            $ns at [expr $T0-$opt(settle)] "[$node($i) set ragent_] set perup_ 1.0e7"
        }
    }
    # room for a few single packets that fill the ARP tables before the load starts (prewarm_flow)
    set prewarm_s [expr {$nflows > 4 ? 1.8*$nflows+0.8 : 8.0}]
    if {$opt(prewarm)} { set T0 [expr $T0+$prewarm_s] }
    if {$opt(prop) eq "shadowing"} { $ns at $T0 "$prop_ set std_db_ $opt(sigma)" }
}

proc node_at {node x y} {
    $node random-motion 0
    $node set X_ $x
    $node set Y_ $y
    $node set Z_ 0.0
}

# ---- networks from a file --------------------------------------------------
# JSON with numbers only: {"nodes": [[x,y],...], "flows": [[source,destination],...],
# "routes": [[source,...,destination],...]} (routes: for -rp TUNNEL).  Returns a dictionary.
proc scen_read {file} {
    set fd [open $file]
    # such a file becomes a Tcl list by exchanging the brackets and separators
    set scen [lindex [string map [list "\[" " \{" "\]" "\} " , " " : " "] [read $fd]] 0]
    close $fd
    return $scen
}

# ---- static routes without a routing protocol (rp TUNNEL) -------------------
set TUNNEL_PORT 200
proc tunnel_exit {i} {
    global node TUNNEL_PORT
    set d [new Agent/Decapsulator]
    $d target [$node($i) entry]
    [$node($i) demux] install $TUNNEL_PORT $d
}
# path: node numbers from source to destination.  A node has one next hop per destination.
proc route_install {path} {
    global node encap TUNNEL_PORT
    set dest [lindex $path end]
    foreach a [lrange $path 0 end-1] b [lrange $path 1 end] {
        if {![info exists encap($a,$b)]} {
            set e [new Agent/Encapsulator]
            $e set node_ $node($a)
            $e set agent_addr_ $a
            $e set agent_port_ $TUNNEL_PORT
            $e set dst_addr_ $b
            $e set dst_port_ $TUNNEL_PORT
            $e target [$node($a) set ll_(0)]
            set encap($a,$b) $e
        }
        $node($a) add-route $dest $encap($a,$b)
    }
}

# the nodes move as an ns-2 movement file says; its times count from T0
proc nodes_move {file} {
    global ns ns_ T0
    upvar #0 node_ node_ node node
    array set node_ [array get node] ;# the name that such a file uses
    proc later {at time command} { global ns T0; $ns at [expr $T0+$time] $command }
    set ns_ later
    uplevel #0 [list source $file]
    set ns_ $ns
}

# three lone packets of flow k, one flow after another, in the prewarm_s seconds before T0
proc prewarm_flow {k agent size} {
    global ns opt T0 prewarm_s
    if {!$opt(prewarm)} return
    for {set i 0} {$i < 3} {incr i} {
        $ns at [expr $T0-$prewarm_s+0.5+1.8*$k+0.6*$i] "$agent send $size warm"
    }
}

# a MAC "send" trace on a node, for delays counted from the first transmission at the source
proc mac_send_trace {n} {
    global opt ns node
    if {$opt(trace) eq "" || $opt(fulltrace)} return
    set mac [$node($n) set mac_(0)]
    set t [cmu-trace Send "MAC" $node($n)]
    $t target [$node($n) set netif_(0)]
    $mac down-target $t
}

# ---- CBR/UDP over the network --------------------------------------------
opt_defaults { load 100 pps 0 pkt 512 warm 0 dur 100 t1 1.0 random 0 jitter 0.5 drain 0 }

# flows: list of {source destination}.  -load is kbit/s of payload per source (or -pps packets/s).
# Starts the load at T0+t1 plus a uniform jitter, counts arrivals in [T0+t1+warm, ... +dur],
# prints the RESULT line and runs the simulation to its end.
proc cbr_run {flows} {
    global opt ns node T0 udp sink cbr tm te u0 k mark
    set u0 [sched_uid]
    set rate [expr {$opt(pps) > 0 ? $opt(pps)*$opt(pkt)*8.0 : $opt(load)*1000.0}]
    set rng [new RNG]; $rng seed [expr 1000+$opt(seed)]
    set k 0
    foreach f $flows {
        lassign $f s t
        set udp($k) [new Agent/UDP]; $udp($k) set packetSize_ $opt(pkt); $udp($k) set fid_ $k
        $ns attach-agent $node($s) $udp($k)
        set sink($k) [new Agent/LossMonitor]
        $ns attach-agent $node($t) $sink($k)
        $ns connect $udp($k) $sink($k)
        set cbr($k) [new Application/Traffic/CBR]
        $cbr($k) set packetSize_ $opt(pkt)
        $cbr($k) set rate_ $rate
        $cbr($k) set random_ $opt(random)
        $cbr($k) attach-agent $udp($k)
        if {$opt(srcmac)} { mac_send_trace $s }
        prewarm_flow $k $udp($k) $opt(pkt)
        $ns at [expr $T0+$opt(t1)+[$rng uniform 0 $opt(jitter)]] "$cbr($k) start"
        incr k
    }
    set tm [expr $T0+$opt(t1)+$opt(warm)]
    set te [expr $tm+$opt(dur)]
    $ns at $tm "cbr_snap a"
    for {set i 0} {$i < $k} {incr i} { $ns at $te "$cbr($i) stop" }
    $ns at $te "cbr_snap b"
    $ns at [expr $te+$opt(drain)+1e-6] "cbr_report"
    $ns run
}
proc cbr_snap {tag} {
    global sink k mark
    for {set i 0} {$i < $k} {incr i} { set mark($tag,$i) [$sink($i) set npkts_] }
}
proc cbr_report {} {
    global mark k opt tm te u0 sink
    set tot 0; set per {}
    for {set i 0} {$i < $k} {incr i} {
        set n [expr $mark(b,$i)-$mark(a,$i)]
        incr tot $n
        lappend per [format %.2f [expr $n*$opt(pkt)*8.0/1000.0/$opt(dur)]]
    }
    set alltot 0
    for {set i 0} {$i < $k} {incr i} { incr alltot [$sink($i) set npkts_] }
    result goodput_kbps=[format %.3f [expr $tot*$opt(pkt)*8.0/1000.0/$opt(dur)]] \
        per_flow_kbps=[join $per "/"] rx_pkts=$tot rx_pkts_all=$alltot tm=$tm te=$te \
        events=[expr [sched_uid]-$u0] simtime=[format %.1f $te]
    finish
}

# number of events put into the scheduler so far (uid handed out by "at")
proc sched_uid {} { global ns; return [$ns at [expr [$ns now]+1e6] "set dummy_ 0"] }

proc result {args} { puts "RESULT [join $args]"; flush stdout }
proc finish {} {
    global ns tracefd
    if {[info exists tracefd]} { $ns flush-trace; close $tracefd }
    exit 0
}
