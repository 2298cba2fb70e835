# The part of OpenWrt's shell library that init scripts use to read a configuration, as its documentation describes it: a file of
# /etc/config is a list of calls (package, config, option, list), each of which has a callback.
# https://openwrt.org/docs/guide-developer/config-scripting
sections=0
package() { :; }
config() {
	sections=$((sections + 1))
	config_cb "$1" "${2:-cfg$sections}"
}
option() {
	option_cb "$1" "$2"
}
list() {
	list_cb "$1" "$2"
}
reset_cb() {
	config_cb() { :; }
	option_cb() { :; }
	list_cb() { :; }
}
reset_cb
config_load() {
	. "/etc/config/$1"
	[ "$sections" = 0 ] || config_cb
}
get_bool() {
	case "$1" in
	1 | on | true | yes | enabled) echo 1 ;;
	0 | off | false | no | disabled) echo 0 ;;
	*) echo "$2" ;;
	esac
}
