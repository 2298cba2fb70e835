# ns wired.tcl CLASS SINK "drop list" WINDOW FILE
lassign $argv cls sinkcls drops window file ms
set ns [new Simulator]
set n0 [$ns node]; set n1 [$ns node]
$ns duplex-link $n0 $n1 10Gb ${ms}ms DropTail
$ns queue-limit $n0 $n1 100000
Agent/TCP set minrto_ 1.0
Agent/TCP set window_ $window
set tcp [new $cls]; set sink [new $sinkcls]
$ns attach-agent $n0 $tcp; $ns attach-agent $n1 $sink
$ns connect $tcp $sink
set em [new ErrorModel/List]
if {$drops ne ""} { $em droplist $drops; $em drop-target [new Agent/Null]; $ns lossmodel $em $n0 $n1 }
if {[info exists env(ECN)]} { $tcp set ecn_ 1; $em set markecn_ true }
set f [open $file w]; $tcp attach $f; $tcp trace cwnd_
if {[info exists env(X)]} { foreach v {t_seqno_ ack_ dupacks_ ssthresh_ maxseq_ rtt_ backoff_} {$tcp trace $v} }
set ftp [new Application/FTP]; $ftp attach-agent $tcp
$ns at 0.0 "$ftp start"
$ns at 20.0 "close $f; exit 0"
$ns run
