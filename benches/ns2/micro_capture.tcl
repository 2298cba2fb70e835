# Behavioural probe of ns-2's reception model: one wanted broadcaster S, one or more interferers,
# one receiver R; nobody hears anybody else except R (interferers placed > 550 m from S).
#   ns micro_capture.tcl -sd 200 -ipos "400 0" -first S|I -lead 0.003
# S at (-sd,0) relative to R. -ipos "x y ?x y ...?" interferer positions relative to R.
# -lead: the other side starts this many seconds later.
# Reports the frames of S (got_1) and of the interferers (got_2 ...) that R received out of n sent.
source [file join [file dirname [info script]] lib.tcl]
opt_defaults { sd 200 ipos "400 0" first S lead 0.003 n 200 pkt 1500 }
set opt(rate) 2Mb
opt_parse
set opt(rp) DUMB
set ox 2000.0; set oy 2000.0
set pos [list [list $ox $oy] [list [expr $ox-$opt(sd)] $oy]]
foreach {x y} $opt(ipos) { lappend pos [list [expr $ox+$x] [expr $oy+$y]] }
net_build $pos
for {set i 1} {$i < $nn} {incr i} {
    set u($i) [new Agent/UDP]; $u($i) set packetSize_ 3000
    $ns attach-agent $node($i) $u($i)
    $u($i) set dst_addr_ -1; $u($i) set dst_port_ 40
}
Class Sinker -superclass Agent/UDP
Sinker instproc process_data {from data} { global got; incr got($data) }
array set got {}
for {set i 1} {$i < $nn} {incr i} { set got($i) 0 }
set sk [new Sinker]
$node(0) attach $sk 40
for {set k 0} {$k < $opt(n)} {incr k} {
    set t [expr 1.0+$k*0.05]
    for {set i 1} {$i < $nn} {incr i} {
        set isS [expr $i == 1]
        set dt [expr {($isS == ($opt(first) eq "S")) ? 0.0 : $opt(lead)}]
        $ns at [expr $t+$dt] "$u($i) send $opt(pkt) $i"
    }
}
$ns at [expr 1.0+$opt(n)*0.05+1.0] {
    set l {}
    for {set i 1} {$i < $nn} {incr i} { lappend l "got_$i=$got($i)" }
    result first=$opt(first) sd=$opt(sd) ipos=[join $opt(ipos) ,] n=$opt(n) [join $l]
    finish
}
$ns run
