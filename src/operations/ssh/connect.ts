import type { Duplex } from 'node:stream';
import { Failure } from '../../basics/failure.ts';
import { connectSsh, type SshConnection, SshTrouble } from '../../ssh/connect.ts';
import { fingerprintOf, type HostKey } from '../../ssh/host-key.ts';
import { findHostKey, saveHostKey } from '../../store/ssh/host-keys.ts';
import { addEvents } from '../../store/stacks/events.ts';
import { reportedText } from '../agents/reported-text.ts';
import type { Service } from '../service.ts';
import { sshOptions } from './options.ts';
import { readLayerKey } from './pem-link.ts';
import type { SshTarget } from './target.ts';

const otherHost = ({ stack, instanceId }: SshTarget, shown: HostKey, known: HostKey) =>
  new Failure('conflict', `Instance ${instanceId} shows another host key than when it was first reached`, {
    description:
      `It shows ${fingerprintOf(shown)}, known is ${fingerprintOf(known)}. Somebody may be between it and this service. ` +
      `If you know why it changed, forget the known one with DELETE /v3/alm/stack/${stack.id}/host_key/${instanceId}.`,
  });

const unreachable = ({ instanceId, host, user }: SshTarget, reason: string, cause: unknown) =>
  new Failure(
    'vendor_trouble',
    `Instance ${instanceId} cannot be reached by ssh as ${user}@${host}: ${reason}`,
    {
      description: 'Is it running, does its security group let this service in, and is the user right?',
      cause,
    },
  );

/** Trouble with the instance as something to tell the caller; anything else as it is. */
export const asFailure = (target: SshTarget, error: unknown, known: HostKey = ''): unknown => {
  if (!(error instanceof SshTrouble)) return error;
  if (error.kind === 'other host') return otherHost(target, error.message, known);
  // Some of it may be the other host's own words.
  return unreachable(target, reportedText(error.message, 200), error);
};

async function dial(service: Service, target: SshTarget): Promise<Duplex> {
  const { dial: open, port, connectSeconds } = sshOptions(service);
  const giveUp = new AbortController();
  const cancel = service.clock.after(connectSeconds * 1000, () => giveUp.abort());
  try {
    return await open({ host: target.host, port }, AbortSignal.any([giveUp.signal, service.stopping]));
  } catch (cause) {
    throw unreachable(target, cause instanceof Error ? cause.message : 'no way there', cause);
  } finally {
    cancel();
  }
}

/** Remembers a host that took the key. Of two who meet it first at the same time, one decides for both. */
async function pinHost(service: Service, target: SshTarget, hostKey: HostKey): Promise<HostKey> {
  const { database, clock } = service;
  const { stack, instanceId } = target;
  const now = clock.now();
  const message = `Instance ${instanceId} was reached by ssh for the first time; its host key is ${fingerprintOf(hostKey)}.`;
  const key = { stack_id: stack.id, instance_id: instanceId, host_key: hostKey, noted_at: now };
  const versionId = stack.desired_version;
  await database.transaction(async (query) => {
    if (await saveHostKey(query, key))
      await addEvents(query, stack.id, [
        { at: now, kind: 'request', resource: instanceId, message, versionId },
      ]);
  });
  return (await findHostKey(database.query, stack.id, instanceId)) ?? hostKey;
}

/** Signs in on the instance. The key is read at the vendor for this connection and kept nowhere. */
export async function connectTo(service: Service, target: SshTarget): Promise<SshConnection> {
  const { stack, instanceId, flag, user } = target;
  const privateKey = await readLayerKey(service, stack, flag);
  const knownHostKey = await findHostKey(service.database.query, stack.id, instanceId);
  const stream = await dial(service, target);
  const timeoutMs = sshOptions(service).connectSeconds * 1000;
  const connection = await connectSsh({ stream, user, privateKey, knownHostKey, timeoutMs }).catch(
    (error: unknown) => {
      throw asFailure(target, error, knownHostKey ?? '');
    },
  );
  const pinned = knownHostKey ?? (await pinHost(service, target, connection.hostKey));
  if (pinned === connection.hostKey) return connection;
  connection.client.end();
  throw otherHost(target, connection.hostKey, pinned);
}
