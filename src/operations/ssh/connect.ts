import type { Duplex } from 'node:stream';
import { Failure } from '../../basics/failure.ts';
import { connectSsh, type SshConnection, SshError } from '../../ssh/connect.ts';
import { fingerprintOf, type HostKey } from '../../ssh/host-key.ts';
import { findHostKey, saveHostKey } from '../../store/ssh/host-keys.ts';
import { addEvents } from '../../store/stacks/events.ts';
import { sanitizeText } from '../agents/sanitize-text.ts';
import type { Service } from '../service.ts';
import { readLayerKey } from './layer-key.ts';
import { sshOptions } from './options.ts';
import type { SshTarget } from './target.ts';

const hostKeyChanged = ({ stack, instanceId }: SshTarget, presented: HostKey, known: HostKey) =>
  new Failure('conflict', `The host key of instance ${instanceId} has changed`, {
    description:
      `It presents ${fingerprintOf(presented)}, known is ${fingerprintOf(known)}. The connection may be intercepted. ` +
      `If you expect the change, delete the known key with DELETE /v3/alm/stack/${stack.id}/host_key/${instanceId}.`,
  });

const unreachable = ({ instanceId, host, user }: SshTarget, reason: string, cause: unknown) =>
  new Failure(
    'vendor_trouble',
    `Instance ${instanceId} cannot be reached by ssh as ${user}@${host}: ${reason}`,
    {
      description:
        'Check that the instance is running, that its security group allows this service, and that the user is correct.',
      cause,
    },
  );

/** Converts an ssh error to a failure for the caller; returns any other error unchanged. */
export const asFailure = (target: SshTarget, error: unknown, known: HostKey = ''): unknown => {
  if (!(error instanceof SshError)) return error;
  if (error.kind === 'host key changed') return hostKeyChanged(target, error.message, known);
  // Part of the message may be text sent by the host.
  return unreachable(target, sanitizeText(error.message, 200), error);
};

async function dial(service: Service, target: SshTarget): Promise<Duplex> {
  const { dial: open, port, connectSeconds } = sshOptions(service);
  const timeout = new AbortController();
  const cancel = service.clock.after(connectSeconds * 1000, () => timeout.abort());
  try {
    return await open({ host: target.host, port }, AbortSignal.any([timeout.signal, service.stopping]));
  } catch (cause) {
    throw unreachable(target, cause instanceof Error ? cause.message : 'no route', cause);
  } finally {
    cancel();
  }
}

/** Stores the key of a host on first use. Of two concurrent first connections, one decides for both. */
async function pinHostKey(service: Service, target: SshTarget, hostKey: HostKey): Promise<HostKey> {
  const { database, clock } = service;
  const { stack, instanceId } = target;
  const now = clock.now();
  const message = `First ssh connection to instance ${instanceId}; its host key is ${fingerprintOf(hostKey)}.`;
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

/** Signs in on the instance. The private key is read for this connection only. */
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
  const pinned = knownHostKey ?? (await pinHostKey(service, target, connection.hostKey));
  if (pinned === connection.hostKey) return connection;
  connection.client.end();
  throw hostKeyChanged(target, connection.hostKey, pinned);
}
