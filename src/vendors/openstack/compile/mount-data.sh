# Mounts the volume with the data of a server. mount-data.ts removes comment lines and replaces __DIRECTORY__. The metadata of the server
# names the volume, of which some hypervisors show 20 characters; a later update may name the first one, or another. It may be attached
# after the start. Only a blank volume is formatted: blkid answers 2 if it finds nothing on a disk. The file system grows with the volume at the next start.
mount=/var/lib/cloud/scripts/per-boot/almanac-data
mkdir -p "${mount%/*}" __DIRECTORY__
cat >$mount <<'END'
#!/bin/bash
directory=__DIRECTORY__
named() {
  curl -fs http://169.254.169.254/openstack/latest/meta_data.json | grep -o '"almanac_volume": *"[^"]*"' | cut -d '"' -f 4
}
mount_volume() {
  disk=$(find /dev/disk/by-id -name "*${1:0:20}*" ! -name '*-part*' | head -n 1)
  [ -n "$disk" ] && dd if="$disk" of=/dev/null bs=4096 count=1 2>/dev/null || return 1
  blkid -p "$disk" >/dev/null
  [ $? != 2 ] || mkfs.ext4 -q "$disk" || return 1
  sed -i "\\# $directory #d" /etc/fstab
  echo "$disk $directory auto defaults,nofail,x-systemd.growfs 0 2" >>/etc/fstab
  mount $directory
}
try() {
  mountpoint -q $directory && return
  volume=$(named)
  [ -n "$volume" ] && mount_volume "$volume"
}
if [ -n "$(named)" ]; then
  for attempt in $(seq 1 360); do
    try && exit
    sleep 2
  done
  echo "almanac-install-failed: volume $(named) cannot be mounted" >/dev/console
  exit 1
fi
(until try; do sleep 20; done) >/dev/null 2>&1 &
END
chmod 700 $mount
$mount || exit 1
