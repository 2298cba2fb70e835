#!/bin/sh
# A package for opkg (OpenWrt up to 24.10) of a program that is built already, without OpenWrt's SDK:
#
#   packaging/openwrt/ipk.sh target/aarch64-unknown-linux-musl/release/multihop-node aarch64_cortex-a53 dist
#
# The second word is the architecture of the device, as `opkg print-architecture` says it there.
set -eu
[ $# -eq 3 ] || {
	echo "ipk.sh PROGRAM ARCHITECTURE FOLDER" >&2
	exit 2
}
program=$1 architecture=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
version=$("${MULTIHOP_RUN:-$program}" --version | cut -d' ' -f2)
files=$here/multihop-node/files
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=$work/data control=$work/control

install -D -m 755 "$program" "$data/usr/bin/multihop-node"
install -D -m 755 "$files/multihop.init" "$data/etc/init.d/multihop"
install -D -m 600 "$files/multihop.config" "$data/etc/config/multihop"
install -D -m 644 "$files/multihop.keep" "$data/lib/upgrade/keep.d/multihop"
install -d -m 700 "$data/etc/multihop"

mkdir "$control"
cat >"$control/control" <<END
Package: multihop-node
Version: $version-1
Architecture: $architecture
Depends: kmod-tun
Section: net
License: MIT OR Apache-2.0
Installed-Size: $(du -sb "$data" | cut -f1)
Description: Node of a wireless multihop network
END
printf '/etc/config/multihop\n' >"$control/conffiles"
for script in postinst:default_postinst prerm:default_prerm; do
	# shellcheck disable=SC2016 # the device expands it
	printf '#!/bin/sh\n[ "${IPKG_NO_SCRIPT}" = 1 ] && exit 0\n. ${IPKG_INSTROOT}/lib/functions.sh\n%s $0 $@\n' \
		"${script#*:}" >"$control/${script%:*}"
	chmod 755 "$control/${script%:*}"
done

pack() {
	tar --owner=0 --group=0 --numeric-owner --sort=name --mtime=@0 -C "$1" -czf "$2" .
}
pack "$data" "$work/data.tar.gz"
pack "$control" "$work/control.tar.gz"
echo 2.0 >"$work/debian-binary"
mkdir -p "$out"
package=$out/multihop-node_$version-1_$architecture.ipk
tar --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$work" -czf "$package" ./debian-binary ./control.tar.gz ./data.tar.gz
echo "$package"
