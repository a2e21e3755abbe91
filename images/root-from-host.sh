# Sourced by build.sh. Builds a root file system without /usr, of one or two megabytes.

# Files that programs read from /etc. Must not include secrets of this machine.
host_settings=(alternatives bash.bashrc ca-certificates.conf debian_version default/locale ethertypes gai.conf
  group host.conf inputrc ld.so.cache ld.so.conf ld.so.conf.d localtime login.defs magic mime.types nsswitch.conf os-release
  passwd profile protocols rpc security services shells ssh/moduli ssl/certs ssl/openssl.cnf terminfo timezone)

require_programs() {
  local program missing=
  for program in sshd git curl node haproxy mariadbd mariadb-install-db redis-server memcached setpriv; do
    case $(realpath "$(command -v "$program" || echo /missing)") in /usr/*) ;; *) missing+=" $program" ;; esac
  done
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=' postgresql'
  [ -z "$missing" ] || { say "not found in /usr:$missing. Install the packages of images/packages.txt."; return 1; }
}

root_from_host() {
  require_programs
  local top="$work/root" name
  mkdir -p "$top"/{dev,etc/haproxy,etc/ssh,home,mnt,opt,proc,root,run/lock,srv,sys,tmp,usr,var/{cache,lib/haproxy,log,spool,tmp}}
  chmod 1777 "$top"/tmp "$top"/var/tmp "$top"/run/lock
  chmod 700 "$top"/root
  ln -s /run "$top/var/run"
  ln -s /run/lock "$top/var/lock"
  for name in bin sbin lib lib32 lib64 libx32; do
    if [ -L "/$name" ]; then cp -a "/$name" "$top/$name"; fi
  done
  for name in "${host_settings[@]}"; do
    if [ -e "/etc/$name" ]; then (cd /etc && cp -a --parents "$name" "$top/etc/"); fi
  done
  cp -a /etc/skel/. "$top/root/"
  # No account has a password. `*` instead of `!`, because sshd treats `!` as a locked account.
  cut -d : -f 1 /etc/passwd | sed 's/$/:*:19000:0:99999:7:::/' > "$top/etc/shadow"
  chmod 600 "$top/etc/shadow"
  tar -C "$top" --numeric-owner --owner=0 --group=0 -cf "$1" .
}
