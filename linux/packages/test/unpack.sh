# SPDX-License-Identifier: MIT
# Sourced by what packs packages anew, to test them.

# Unpack the package $1 into the folder $2 without its Python packages, which are most of it.
unpack() {
	mkdir -p "$2"
	dpkg-deb -e "$1" "$2/DEBIAN"
	dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" --exclude=./usr/lib/plafond/venv
}

# Pack the folder $1 into a package in the folder $2.
pack() {
	(cd "$1" && find usr -type f -exec md5sum {} + >DEBIAN/md5sums)
	dpkg-deb --root-owner-group -Zgzip -z1 -b "$1" "$2" >/dev/null
	rm -r "$1"
}
