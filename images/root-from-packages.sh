# Sourced by build.sh. A Debian with the packages of packages.txt, from the mirror this machine's apt uses.

# One line for each of Debian's own repositories that apt knows here, security updates included.
debian_sources() {
  apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
    | awk '$1 == "Debian" && $4 == "main" { print "deb " $2 " " $3 " " $4 }' | sort -u
}

install_mmdebstrap() {
  command -v mmdebstrap >/dev/null && return
  [ "$(id -u)" = 0 ] || { say "install Debian's mmdebstrap"; return 1; }
  say "installing Debian's mmdebstrap"
  (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends mmdebstrap) >/dev/null
}

# What installing left behind that must differ from container to container, or that the entry scripts make themselves.
leftovers='rm -rf "$1"/etc/ssh/ssh_host_* "$1"/etc/haproxy/haproxy.cfg "$1"/etc/postgresql/* "$1"/var/lib/postgresql/* \
  "$1"/var/lib/mysql "$1"/var/log/* "$1"/etc/apt/apt.conf.d/99mmdebstrap "$1"/etc/machine-id'

root_from_packages() {
  install_mmdebstrap
  debian_sources > "$place/sources.list"
  [ -s "$place/sources.list" ] || { say "apt knows none of Debian's repositories here; run apt-get update first"; return 1; }
  local proxy options=()
  proxy=$(apt-config shell proxy Acquire::http::Proxy | cut -d "'" -f 2)
  [ -z "$proxy" ] || options+=(--aptopt="Acquire::http::Proxy \"$proxy\"")
  say "installing Debian's packages into a new root; this takes a minute or two"
  mmdebstrap --quiet --variant=apt --include="$(paste -sd , "$here/packages.txt")" "${options[@]}" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/info/*' \
    --customize-hook="$leftovers" '' "$1.part.tar" "$place/sources.list" 2> "$place/log" \
    || { tail -n 20 "$place/log" >&2; return 1; }
  mv "$1.part.tar" "$1"
}
