#!/bin/bash
# An instance: sshd for users, and the agent that runs the application. Waits for the agent's file.
. /opt/almanac/entry/common.sh
agent=/opt/almanac/alm-agent.mjs

install -d -m 755 /run/sshd
# Users are not root: root controls the engine of the machine, through the agent's socket.
id ec2-user >/dev/null 2>&1 || useradd --create-home --shell /bin/bash --password '*' ec2-user
# Not in the home directory: a symbolic link there could redirect what root writes.
install -d -m 755 /etc/almanac
printf '%s\n' "${AUTHORIZED_KEY:-}" > /etc/almanac/authorized_keys
# Created here and not in the image: every instance has its own key and keeps it when it restarts.
host_key=/etc/ssh/ssh_host_ed25519_key
[ -f "$host_key" ] || ssh-keygen -q -t ed25519 -N '' -f "$host_key"

/usr/sbin/sshd -D -e -f /dev/null -o "HostKey=$host_key" -o UsePAM=no -o PasswordAuthentication=no \
  -o KbdInteractiveAuthentication=no -o PermitRootLogin=no -o AuthorizedKeysFile=/etc/almanac/authorized_keys -o 'Subsystem=sftp internal-sftp' \
  -o "SetEnv=LANG=$LANG" -o ClientAliveInterval=30 &
sshd=$!

run_agent() {
  until [ -f "$agent" ]; do sleep 1; done
  exec node "$agent"
}

stop() {
  trap - TERM INT
  kill $(jobs -p) 2>/dev/null || true
  wait
  exit 0
}
trap stop TERM INT

while kill -0 "$sshd" 2>/dev/null; do
  run_agent &
  wait -n "$sshd" $! || echo "sshd or the agent exited with $?" >&2
  sleep 1 &
  wait $!
done
fail 'sshd exited'
