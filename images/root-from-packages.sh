# Sourced by build.sh. Builds a Debian root file system with packages.txt, from the mirror of this machine's apt.

# One line for each Debian repository of this machine's apt, including security updates.
debian_sources() {
  apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
    | awk '$1 == "Debian" && $4 == "main" { print "deb " $2 " " $3 " " $4 }' | sort -u
}

install_mmdebstrap() {
  command -v mmdebstrap >/dev/null && return
  [ "$(id -u)" = 0 ] || { say "mmdebstrap is required. Install it, or run as root"; return 1; }
  say "installing mmdebstrap"
  (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends mmdebstrap) >/dev/null
}

# Removes files of the installation that must differ between containers, or that the entry scripts create.
leftovers='rm -rf "$1"/etc/ssh/ssh_host_* "$1"/etc/haproxy/haproxy.cfg "$1"/etc/postgresql/* "$1"/var/lib/postgresql/* \
  "$1"/var/lib/mysql "$1"/var/log/* "$1"/etc/apt/apt.conf.d/99mmdebstrap "$1"/etc/machine-id'

root_from_packages() {
  install_mmdebstrap
  debian_sources > "$work/sources.list"
  [ -s "$work/sources.list" ] || { say "apt has no Debian repository. Run apt-get update first"; return 1; }
  local proxy options=()
  proxy=$(apt-config shell proxy Acquire::http::Proxy | cut -d "'" -f 2)
  [ -z "$proxy" ] || options+=(--aptopt="Acquire::http::Proxy \"$proxy\"")
  say "installing Debian packages into a new root file system; this takes one or two minutes"
  mmdebstrap --quiet --variant=apt --include="$(paste -sd , "$here/packages.txt")" "${options[@]}" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/info/*' \
    --customize-hook="$leftovers" '' "$1.part.tar" "$work/sources.list" 2> "$work/log" \
    || { tail -n 20 "$work/log" >&2; return 1; }
  mv "$1.part.tar" "$1"
}
