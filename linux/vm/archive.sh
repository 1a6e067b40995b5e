# SPDX-License-Identifier: MIT
# Debian's archive without privilege: sourced by what fetches kernels, modules' needs and herd7. An
# apt of our own reads this machine's mirror, keys and proxies; it installs nothing.

# Progress; what goes wrong is the one line that does not end in dots.
say() {
	echo "$* ..." >&2
}

fail() {
	echo "$*" >&2
	exit 1
}

# As RefusedError has it, 2 means that this machine cannot do it.
refuse() {
	echo "$*" >&2
	exit 2
}

# $1: what comes from there.
refuse_other_machines() {
	command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
		refuse "$1 comes from Debian: found no apt-get and dpkg-deb to fetch it"
	[ "$(dpkg --print-architecture)" = amd64 ] ||
		refuse "$1 is for amd64: found $(dpkg --print-architecture)"
}

# Debian's name for the processor $1.
architecture_of() {
	case $1 in
	x86_64) echo amd64 ;;
	aarch64) echo arm64 ;;
	*) fail "no such processor: found $1; expected x86_64 or aarch64" ;;
	esac
}

# The suites that have a kernel of the line $1, and the compiler that it was built with. Debian
# 12 and 13 each have a 6.12: that of this machine's release is built for with its own compiler.
suites_of() {
	case $1 in
	6.12)
		case $(. /etc/os-release && echo "${VERSION_CODENAME:-}") in
		bookworm) echo bookworm bookworm-backports ;;
		*) echo trixie ;;
		esac
		;;
	7.x) echo trixie trixie-backports ;;
	*) fail "no such kernel: found $1; expected 6.12 or 7.x" ;;
	esac
}

# That of the variable, else the one that this machine has its own packages from.
debian_mirror() {
	if [ -n "${PLAFOND_DEBIAN_MIRROR:-}" ]; then
		echo "$PLAFOND_DEBIAN_MIRROR"
	else
		apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Label: Debian' |
			head -n 1
	fi
}

# Make $1/apt an apt of the suites $2... with a current list of packages: of the architecture
# $architecture, else of this machine's, whose packages are there as NAME:amd64 besides.
make_apt() {
	apt=$1/apt
	shift
	mirror=$(debian_mirror)
	[ -n "$mirror" ] ||
		fail "this machine's apt has no package list of Debian: run apt-get update, or set PLAFOND_DEBIAN_MIRROR to the address of a mirror"
	key=/usr/share/keyrings/debian-archive-keyring.gpg
	[ -e "$key" ] || fail "$key is missing: install debian-archive-keyring"
	mkdir -p "$apt/lists/partial" "$apt/archives/partial"
	for suite; do
		echo "deb [signed-by=$key] $mirror $suite main"
	done >"$apt/sources.list"
	: >"$apt/status"
	cat >"$apt/apt.conf" <<-END
		Dir::State "$apt";
		Dir::State::lists "$apt/lists";
		Dir::State::status "$apt/status";
		Dir::Cache "$apt";
		Dir::Cache::archives "$apt/archives";
		Dir::Etc::sourcelist "$apt/sources.list";
		Dir::Etc::sourceparts "-";
		Dir::Etc::preferencesparts "-";
		APT::Sandbox::User "";
		Acquire::Languages "none";
		Acquire::http::Timeout "20";
		Acquire::https::Timeout "20";
	END
	if [ "${architecture:-amd64}" != amd64 ]; then
		cat >>"$apt/apt.conf" <<-END
			APT::Architecture "$architecture";
			APT::Architectures { "$architecture"; "amd64"; };
		END
	fi
	export APT_CONFIG="$apt/apt.conf"
	apt-get update -qq -o APT::Update::Error-Mode=any >"$apt/log" 2>&1 ||
		fail "Debian's archive ($*) cannot be read: $(first_error)"
}

# Apt's first error, else its first warning, without the addresses that it tried: those that
# follow say only that it failed.
first_error() {
	grep '^[EW]:' "$apt/log" | LC_ALL=C sort -s -k 1,1 | head -n 1 |
		sed 's|^[EW]: *||; s|[a-z]*://[^ ]*|the mirror|g'
}

# What apt knows of the package $1. It keeps its index even if this machine's apt is set to
# keep none.
show_package() {
	apt-cache show "$1" -o Dir::Cache::pkgcache=pkgcache.bin
}

# Download the packages $2... into the folder $1.
download() {
	(
		mkdir -p "$1" && cd "$1" && shift
		apt-get download -qq "$@" >"$apt/log" 2>&1
	) || fail "packages cannot be fetched: $(first_error)"
}
