# Mounts the volume with the data of a server. mount-data.ts removes comment lines and replaces __DIRECTORY__, and the cloud replaces
# @data_volume@ by the id of the volume, of which some hypervisors show 20 characters. It may be attached after the start of the server,
# also to a server that replaces another one. Only a blank volume is formatted: blkid answers 2 if it finds nothing on a disk. The file system grows with the volume at the next start.
volume=@data_volume@
for attempt in $(seq 1 360); do
  disk=$(find /dev/disk/by-id -name "*${volume:0:20}*" ! -name '*-part*' 2>/dev/null | head -n 1)
  [ -n "$disk" ] && dd if="$disk" of=/dev/null bs=4096 count=1 2>/dev/null && break
  disk=
  sleep 2
done
[ -n "$disk" ] && { blkid -p "$disk" >/dev/null; [ $? != 2 ] || mkfs.ext4 -q "$disk"; }
mkdir -p __DIRECTORY__
printf '%s %s auto defaults,nofail,x-systemd.growfs 0 2\n' "$disk" __DIRECTORY__ >>/etc/fstab
if [ -z "$disk" ] || ! mount __DIRECTORY__; then
  echo "almanac-install-failed: volume $volume cannot be mounted" >/dev/console
  exit 1
fi
