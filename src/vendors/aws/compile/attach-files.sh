# The volume with the persistent files of a server. user-data.ts puts this part before the agent section of user-data.sh, and
# defines `report`, which signals the result to CloudFormation.
# A volume can be attached to one server at a time. CloudFormation deletes the server that this one replaces, which has the
# volume, only after the signal of this one. So this one then signals before it has the volume, and waits for it after that.
dir=/var/lib/almanac-files volume=__VOLUME__ reported=
command -v aws || dnf install -y awscli || yum install -y awscli || {
  apt-get update
  apt-get install -y awscli || {
    apt-get install -y python3-pip
    pip3 install --break-system-packages awscli || pip3 install awscli
  }
}
metadata=http://169.254.169.254/latest
token=$(curl -fsS --retry 5 -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' $metadata/api/token)
server=$(curl -fsS --retry 5 -H "X-aws-ec2-metadata-token: $token" $metadata/meta-data/instance-id)
find_disk() {
  for disk in /dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_"${volume/-/}" /dev/sdf /dev/xvdf; do
    [ -b "$disk" ] && return
  done
  return 1
}
give_up() {
  result=1 reason=$1
  echo "almanac-install-failed: $reason" >/dev/console
  [ "$reported" ] || report
  exit 1
}
for ((tries = 0; ; tries++)); do
  find_disk && break
  answer=$(aws ec2 attach-volume --region __REGION__ --volume-id "$volume" --instance-id "$server" --device /dev/sdf 2>&1)
# The volume is also in use while it is being attached to this server, which takes seconds.
  if [ -z "$reported" ] && [ $tries -ge 12 ] && [[ $answer == *VolumeInUse* ]]; then
    report
    reported=1
  fi
  [ "$reported" ] || [ $tries -lt 100 ] || give_up "cannot attach volume $volume: $answer"
  sleep 5
done
# A new volume is blank. Anything else is never formatted.
if cmp -sn 1048576 "$disk" /dev/zero; then mkfs.ext4 -qL almanac-files "$disk"; fi
mkdir -p $dir
mount "$disk" $dir || give_up "cannot mount volume $volume"
# It may be larger than the snapshot that it was made from.
resize2fs "$disk"
# After a restart, containers start only after the volume is mounted, or not at all: the directory is on the volume.
echo "LABEL=almanac-files $dir ext4 nofail,x-systemd.before=docker.service,x-systemd.growfs 0 2" >>/etc/fstab
# Any user of the container may write, as in a volume of the container engine.
mkdir -p $dir/data && chmod 777 $dir/data
export ALM_AGENT_STORAGE_DIR=$dir/data
