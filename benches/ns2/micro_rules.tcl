# Probes of single MAC rules; always writes a full MAC trace (-trace FILE).  micro_rules.py reads it.
#   -mode queue   a burst of -burst packets at t=5 into an empty queue: how many arrive
#   -mode drop    node 0 saturates node 1, which hears nothing: first attempt after a drop
#   -mode nav     every 50 ms C (0) sets the NAV of B (1) with an RTS that nobody answers, then
#                 A (2), which cannot decode C, sends to B.  -rts 0|3000 for A: CTS or ACK?
#   -mode busy    every 50 ms A (0) sends to B (1), and about then E (2), 500 m behind B and not
#                 heard by A, starts a long broadcast: CTS or ACK on a busy medium?
#   -mode ctsbusy as busy, but E is heard by A alone and hears nothing itself: data after a CTS on
#                 a busy medium?
#   -mode pause   every 50 ms A (1) gets a packet for B (2) at -lead s after C (0) got one for a
#                 deaf node: the RTS of C sets the NAV of A during or before its backoff
#   -mode slots   three stations (0 to 2) always have a packet for node 3, and draw from four slots:
#                 -places near|far says whether the last to send can ignore one of the others
source [file join [file dirname [info script]] lib.tcl]
opt_defaults { mode queue burst 100 n 400 pkt 512 long 1500 lead 0.0 spread 0.0006 places near }
opt_parse
set opt(rp) DUMB; set opt(fulltrace) 1

set rng [new RNG]; $rng seed [expr 77+$opt(seed)]
proc places {xs} { set l {}; foreach x $xs { lappend l [list $x 50.0] }; return $l }
proc deafen {i} { global node; [$node($i) set netif_(0)] set RXThresh_ 1.0 }
proc sender {from to {size 3000}} {
    global ns node
    set u [new Agent/UDP]; $u set packetSize_ $size
    $ns attach-agent $node($from) $u
    if {$to < 0} { $u set dst_addr_ -1; $u set dst_port_ 0; return $u }
    set z [new Agent/Null]; $ns attach-agent $node($to) $z
    $ns connect $u $z
    return $u
}
# n rounds, 50 ms apart from t=10: first sends at once, second after lead + uniform(0, spread)
proc rounds {first firstsize second secondsize} {
    global ns opt rng
    for {set k 0} {$k < $opt(n)} {incr k} {
        set t [expr 10.0+0.05*$k]
        $ns at $t "$first send $firstsize x"
        $ns at [expr $t+$opt(lead)+[$rng uniform 0 $opt(spread)]] "$second send $secondsize x"
    }
    $ns at [expr 11.0+0.05*$opt(n)] finish
}
# one RTS and no second try, for a packet to a node that hears nothing
proc lone_rts {i} {
    global node
    set mac [$node($i) set mac_(0)]
    $mac set RTSThreshold_ 0
    $mac set ShortRetryLimit_ 1
}

switch -exact -- $opt(mode) {
    queue {
        net_build [places {50 250}]
        set u [sender 0 1]
        $ns at 1.0 "$u send $opt(pkt) x"
        $ns at 5.0 "for {set i 0} {\$i < $opt(burst)} {incr i} {$u send $opt(pkt) x}"
        $ns at 20.0 finish
    }
    drop {
        net_build [places {50 250}]
        set u [sender 0 1]
        proc pump {} {
            global ns u opt
            $u send $opt(pkt) x
            $ns at [expr [$ns now]+0.01] pump
        }
        $ns at 1.0 "$u send $opt(pkt) x"
        $ns at 5.0 "deafen 1"
        $ns at 5.1 pump
        $ns at [expr 10.0+0.05*$opt(n)] finish
    }
    nav {
        net_build [places {300 500 700 60}]
        set c [sender 0 3]; set a [sender 2 1]
        $ns at 1.0 "$c send $opt(pkt) x"
        $ns at 2.0 "$a send $opt(pkt) x"
        $ns at 5.0 "deafen 3; lone_rts 0"
        rounds $c $opt(long) $a $opt(pkt)
    }
    busy {
        net_build [places {50 250 750}]
        set a [sender 0 1]; set e [sender 2 -1]
        $ns at 1.0 "$a send $opt(pkt) x"
        rounds $a $opt(pkt) $e $opt(long)
    }
    ctsbusy {
        net_build [places {600 800 60}]
        set a [sender 0 1]; set e [sender 2 -1]
        $ns at 1.0 "$a send $opt(pkt) x"
        $ns at 5.0 {[$node(2) set netif_(0)] set CSThresh_ 1.0}
        rounds $a $opt(pkt) $e $opt(long)
    }
    pause {
        net_build [places {300 500 700 60}]
        set c [sender 0 3]; set a [sender 1 2]
        $ns at 1.0 "$c send $opt(pkt) x"
        $ns at 2.0 "$a send $opt(pkt) x"
        $ns at 5.0 "deafen 3; lone_rts 0"
        rounds $c $opt(long) $a $opt(pkt)
    }
    slots {
        set opt(rts) 3000
        Mac/802_11 set CWMin_ 4
        Mac/802_11 set CWMax_ 4
        # All are 200 m apart; or 0 hears 2, at 30 m, so well that it ignores 1, at 200 m, and sends
        # last: it is the farthest from node 3, whose answers all count from.
        set third {200 273.205}; set sink {200 157.735}
        if {$opt(places) eq "near"} { set third {130 100}; set sink {230 200} }
        net_build [list {100 100} {300 100} $third $sink]
        for {set i 0} {$i < 3} {incr i} {
            set u($i) [sender $i 3]
            $ns at [expr 1.0+0.1*$i] "$u($i) send $opt(pkt) x"
            set cbr($i) [new Application/Traffic/CBR]
            $cbr($i) attach-agent $u($i)
            $cbr($i) set packetSize_ $opt(pkt)
            $cbr($i) set rate_ 2Mb
            $ns at [expr 5.0+0.001*$i] "$cbr($i) start"
        }
        $ns at [expr 10.0+0.05*$opt(n)] finish
    }
    default { puts stderr "unknown -mode $opt(mode)"; exit 2 }
}
$ns run
