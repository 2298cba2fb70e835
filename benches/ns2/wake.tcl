# WAKE's rules 1 to 3 (docs/wake) over ns-2's own MAC, on a one-way chain whose source has always something to send.
#   ns wake.tcl -hops 10 -dist 200 -hold 2.7 -clear 0.88 -cw 3 -warm 10 -dur 60 -seed 1
# Each station is an agent that sends to its neighbour only (-rp DUMB), so it decides itself when a packet goes down:
# ns-2's queue holds one packet at most.  What a station is told by its MAC (link acknowledgment, given up, frame
# sent) comes from ns-2's own trace, which is written to a channel that calls `mac_said`.
# -hold is in times of SIFS and link acknowledgment, -clear in forwardings for each hop but the first of those that
# cannot send at once.  -spaced 0: the source does not space its packets (no rule 3).  -wide 1: it
# keeps clear by one forwarding more where that heals the path (rule 5).
# RESULT also says how many data frames began while one three hops on or three hops back was on the air.
source [file join [file dirname [info script]] lib.tcl]
opt_defaults {
    hops 10  hold 2.7  clear 0.88  cw 3  tries 3  spaced 1  wide 0  pkt 512  header 30
    warm 10  dur 60     t1 1.0      maclog ""
}
opt_parse
set opt(rp) DUMB
set opt(rts) 3000
Mac/802_11 set CWMin_ $opt(cw)
Mac/802_11 set ShortRetryLimit_ $opt(tries)

# ---- what everybody knows, in s --------------------------------------------------------------------
set linkdelay 25e-6                        ;# ns-2's LL, each way
set size [expr {$opt(pkt)+$opt(header)}]     ;# IP (20 bytes) and WAKE (10)
set airtime [expr {192e-6+8.0*($size+34)/1e6}]
set ackairtime [expr {192e-6+8.0*14/1e6}]
set forward [expr {$airtime+10e-6+$ackairtime}] ;# T: data, SIFS, link acknowledgment
set hold [expr {$opt(hold)*(10e-6+$ackairtime)}] ;# h
set reach [expr {int(550/$opt(dist))}]       ;# so many stations away something is sensed
set near 1                                 ;# and so many away it is within 10 dB of the neighbour
array set RULE {loose 1.3 spacing 1.2 threshold 1.6 samples 50 waiting 0.3 pause 0.005}

# As [$ns now] and [$ns at], which take most of the time of such a run.
proc now {} { global scheduler; $scheduler cmd now }
proc schedule {at script} { global scheduler; $scheduler cmd at $at $script }
proc min {a b} { expr {$a < $b ? $a : $b} }
proc max {a b} { expr {$a > $b ? $a : $b} }

# ---- stations ----
Class Station -superclass Agent/UDP

# How many hops in a row cannot send at once (k).
Station instproc reuse {} { $self instvar togo; return [min $togo 3] }

# When the head may go.
Station instproc eligible {} {
    $self instvar queue clear
    return [max [lindex $queue 0 1] $clear]
}

# Rule 3: what the flow needs here.
Station instproc need {now} {
    global RULE
    $self instvar queue service since
    set waits 0.0
    if {$since >= 0} { set waits [expr {$now-$since}] } elseif {[llength $queue]} { set waits [expr $now-[$self eligible]] }
    return [expr [$self reuse]*[max $service [expr {$RULE(waiting)*$waits}]]]
}

# Rule 3: the period that the path bears from here on.
Station instproc period {now} {
    global RULE
    $self instvar ahead
    return [max [expr $RULE(spacing)*[$self need $now]] $ahead]
}

# A packet is in this station's custody (rule 1), and may contend from `ready` on; `wave`: relays hold it.
Station instproc take {sequence ready {wave 1}} {
    $self instvar queue
    lappend queue [list $sequence $ready $wave]
    $self look
}

# Rule 2: whether the source's packet has waited, or follows the one before closely: it is held on its way.
Station instproc follows {now} {
    global RULE
    $self instvar queue clear offered natural
    return [expr {[lindex $queue 0 1] < $clear || $offered < 0 || $now-$offered < $RULE(loose)*$natural}]
}

# Offers the head to the MAC when it may go.
Station instproc look {} {
    global size
    $self instvar id queue busy since wake offered period wave
    if {$busy || ![llength $queue]} return
    set now [now]
    set at [$self eligible]
    if {$at > $now} {
        if {$wake != $at} { set wake $at; schedule $at "$self look" }
        return
    }
    if {$since < 0} {
        set since $at
        if {$id == 0} { set wave [$self follows $now] } else { set wave [lindex $queue 0 2] }
        set offered $now
    }
    set busy 1
    set period [$self period $now]
    $self send $size "[lindex $queue 0 0] $wave"
}

# The next hop has the packet: its link acknowledgment has come (rules 1 and 2).
Station instproc passed_on {} {
    global forward hold opt RULE
    $self instvar id togo queue busy since service clear failures offered natural
    set now [now]
    set queue [lrange $queue 1 end]
    set sample [expr {$now-$since}]; set since -1.0
    set d [$self period $now]
    set service [expr {$service+($sample-$service)/$RULE(samples)}]
    set k [$self reuse]
    set clear [expr {$now+$opt(clear)*($k-1)*($forward+$hold)}]
    if {$id == 0} {
        set natural [expr {$k*$forward+($k-1)*($togo > 3 ? $hold : 0)}]
        set collapsed [expr {$d >= $RULE(threshold)*$natural}]
        # Rule 3: only the source spaces, by D from offer to offer.
        if {$collapsed && $opt(spaced)} { set clear [max $clear [expr {$offered+$d}]] }
        if {$opt(wide) && $togo > 3 && [wider $collapsed]} { set clear [max $clear [expr {$now+(1+2*$opt(clear))*($forward+$hold)}]] }
    }
    set busy 0; set failures 0
    if {$id == 0} { next_packet }
    $self look
}

# Rule 5: whether the source keeps clear for longer now, for 4 to 64 s; not for 64 s once it did not help.
array set wide {on 0 until 0.0 length 0.0 notbefore 0.0}
proc wider {collapsed} {
    global wide
    set now [now]
    set ended [expr {$wide(until) <= $now}]
    if {$ended && $wide(on) && $collapsed} { set wide(length) 0.0; set wide(notbefore) [expr {$now+64}] }
    if {$ended} { set wide(on) 0 }
    if {$collapsed && !$wide(on) && $wide(notbefore) <= $now} {
        if {$now-$wide(until) > 5} { set wide(length) 0.0 }
        set wide(length) [max 4.0 [min 64.0 [expr {2*$wide(length)}]]]
        set wide(until) [expr {$now+$wide(length)}]
        set wide(on) 1
    }
    return $wide(on)
}

# The MAC has given the packet up, which stays (rules 1 and 4).
Station instproc given_up {} {
    global RULE rng
    $self instvar queue busy failures
    set pause [expr $RULE(pause)*pow(2,[min $failures 4])*(1.0+[$rng uniform 0 1])]
    incr failures
    set busy 0
    lset queue 0 1 [expr [now]+$pause]
    $self look
}

# Data has come up to this station: `ll` after its end on the air.
Station instproc process_data {from data} {
    global hold linkdelay
    $self instvar taken togo
    lassign $data sequence wave
    if {$sequence eq "warm" || $sequence == $taken} return
    set taken $sequence
    if {$togo == 0} { delivered $sequence; return }
    $self take $sequence [expr {[now]-$linkdelay+$wave*$hold}] $wave
}

# Rule 3: its next hop's frame is over, which began at `begin` and told `period`.  ns-2 does not say what a station
# decodes that is not for it, so this follows from who has sent: nobody else that it senses when the frame began,
# neither itself nor anybody within 10 dB of its next hop since.
Station instproc overhear {period begin} {
    global began until reach near
    $self instvar ahead id
    for {set i [expr {$id-$reach}]} {$i <= $id+$reach} {incr i} {
        if {$i == $id+1 || ![info exists began($i)]} continue
        if {$began($i) <= $begin && $until($i) > $begin} return
        if {$began($i) > $begin && abs($i-$id) <= $near} return
    }
    set ahead $period
}

# ---- what the MACs say -----------------------------------------------------------------------------
# Lines of the old trace format: "r 61.2 _3_ MAC --- 0 ACK 38 ...", "D 61.2 _3_ MAC RET 17 udp 600 ...".
namespace eval maclog {
    namespace export initialize finalize watch write
    namespace ensemble create
    proc initialize {channel mode} { return {initialize finalize watch write} }
    proc finalize {channel} {}
    proc watch {channel events} {}
    proc write {channel bytes} {
        foreach line [split [string trimright $bytes "\n"] "\n"] { mac_said $line }
        return [string length $bytes]
    }
}

proc mac_said {line} {
    global station log began until ackairtime
    if {$log ne ""} { puts $log $line }
    lassign $line what rounded where layer why uid kind
    set i [string trim $where _]
    set now [now]
    if {$what eq "r" && $kind eq "ACK"} {
        if {[$station($i) set busy]} { schedule $now "$station($i) passed_on" }
    } elseif {$what eq "D" && $why eq "RET" && $kind eq "udp"} {
        if {[$station($i) set busy]} { schedule $now "$station($i) given_up" }
    } elseif {$what eq "s" && $kind eq "ACK"} {
        set began($i) $now
        set until($i) [expr {$now+$ackairtime}]
    } elseif {$what eq "s" && $kind eq "udp"} {
        on_the_air $i $now
    }
}

# ---- measuring ------------------------------------------------------------------------------------
array set count {frames 0 upstream 0 downstream 0 delivered 0}
set delays 0.0
proc measured {} { global tm te; set now [now]; return [expr {$now >= $tm && $now < $te}] }

# A data frame of station i begins: is that three hops back, or on, still at it?
proc on_the_air {i now} {
    global began until data airtime linkdelay count station first T0
    if {$now < $T0} return
    if {$i == 0} {
        set sequence [lindex [$station(0) set queue] 0 0]
        if {$sequence ne "" && ![info exists first($sequence)]} { set first($sequence) $now }
    }
    set data($i) [set began($i) $now]
    set until($i) [expr {$now+$airtime}]
    if {$i > 0} {
        schedule [expr {$until($i)+1e-6}] "$station([expr {$i-1}]) overhear [$station($i) set period] $now"
    }
    if {![measured]} return
    incr count(frames)
    foreach {other name} [list [expr {$i-3}] upstream [expr {$i+3}] downstream] {
        if {[info exists data($other)] && $now-$data($other) < $airtime} { incr count($name) }
    }
}

proc delivered {sequence} {
    global count delays first linkdelay
    if {![measured]} return
    incr count(delivered)
    set delays [expr $delays+[now]-$linkdelay-$first($sequence)]
}

# ---- the run --------------------------------------------------------------------------------------
set pos {}
for {set i 0} {$i <= $opt(hops)} {incr i} { lappend pos [list [expr {50.0+$i*$opt(dist)}] 50.0] }
net_build $pos
set scheduler [$ns set scheduler_]
close $tracefd
set log [expr {$opt(maclog) ne "" ? [open $opt(maclog) w] : ""}]
set tracefd [chan create write maclog]
fconfigure $tracefd -buffering none
set rng [new RNG]; $rng seed [expr {1000+$opt(seed)}]
for {set i 0} {$i < $nn} {incr i} {
    set s [new Station]
    set station($i) $s
    $s set packetSize_ 3000
    foreach {name value} [list id $i togo [expr {$opt(hops)-$i}] queue {} busy 0 clear 0.0 since -1.0 \
        service [expr {$forward+$hold}] ahead 0.0 failures 0 taken "" wake -1.0 offered -1.0 period 0.0 natural 0.0 wave 1] { $s set $name $value }
    $ns attach-agent $node($i) $s
    set mac [$node($i) set mac_(0)]
    $mac drop-target [cmu-trace Drop "MAC" $node($i)]
    $mac log-target [cmu-trace Recv "MAC" $node($i)]
    set t [cmu-trace Send "MAC" $node($i)]
    $t target [$node($i) set netif_(0)]
    $mac down-target $t
}
for {set i 0} {$i < $opt(hops)} {incr i} {
    $ns connect $station($i) $station([expr {$i+1}])
    # ARP knows the neighbour before the load starts.
    schedule [expr {0.5+0.2*$i}] "$station($i) send $size warm"
}
for {set i 0} {$i < $nn} {incr i} { $station($i) set dst_addr_ [expr {$i < $opt(hops) ? $i+1 : $i}] }
set T0 [expr {0.5+0.2*$nn}]
set made 0
proc next_packet {} { global made station; $station(0) take [incr made] [now] }
schedule [expr $T0+$opt(t1)+[$rng uniform 0 0.5]] next_packet
set tm [expr {$T0+$opt(t1)+$opt(warm)}]
set te [expr {$tm+$opt(dur)}]
schedule $te {
    set pairs [expr {$count(upstream)+$count(downstream)}]
    set share [expr {$pairs ? 1.0*$count(upstream)/$pairs : 0}]
    result goodput_kbps=[format %.3f [expr {$count(delivered)*$opt(pkt)*8e-3/$opt(dur)}]] \
        delay_ms=[format %.3f [expr {$count(delivered) ? 1e3*$delays/$count(delivered) : 0}]] \
        frames=$count(frames) pairs=$pairs upstream_first=[format %.4f $share] tm=$tm te=$te
    finish
}
$ns run
