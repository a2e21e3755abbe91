import { createHash } from 'node:crypto';
import { CredentialRejected } from '../../../vendor.ts';
import { CloudError, observing, Refusal } from '../../errors.ts';
import { database, databaseName } from '../../names.ts';
import { listBackups } from '../../observe/list-kept.ts';
import type { HeatStack } from '../../observe/list-stacks.ts';
import type { Region } from '../../region.ts';
import type { DataStore } from './stores.ts';

interface BackupRequest {
  store: DataStore;
  /** Equal in every retry of one request, which makes one backup. */
  key: string;
}

const nameFor = ({ stackId }: HeatStack, { store, key }: BackupRequest): string => {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return `${databaseName(stackId, store.resource.name.slice(database('').length))}-${hash}`;
};

/** Backs up a database. False: it is not complete yet. The backup stays when the database is deleted. */
export async function backUp(region: Region, stack: HeatStack, request: BackupRequest): Promise<boolean> {
  const name = nameFor(stack, request);
  const { id } = request.store;
  const found = (await listBackups(region.client)).find(
    (backup) => backup.name === name && backup.instance_id === id,
  );
  if (!found) {
    await start(region, { name, instance: id });
    return false;
  }
  if (found.status === 'COMPLETED') return !(await isBusy(region, id));
  if (!/FAILED|ERROR/.test(found.status)) return false;
  throw new Refusal(
    `Backup ${name} of ${request.store.resource.name} failed, so nothing was removed. ` +
      'Find the reason in the cloud and delete the backup, then repeat the request; or repeat it with data=delete.',
  );
}

/** Trove changes no database during its backup. */
async function isBusy({ client }: Region, id: string): Promise<boolean> {
  const path = `/instances/${id}`;
  type Shown = { instance: { status: string } };
  const { instance } = await observing(() => client.read<Shown>({ service: 'database', path }));
  return instance.status === 'BACKUP';
}

const noStorage =
  'The cloud has no storage for backups of databases, so it cannot keep the data. Back it up by hand, then repeat the request with data=delete.';

async function start({ client }: Region, backup: { name: string; instance: string }): Promise<void> {
  // Without Swift, Trove answers with an internal error, which would be tried again for ever.
  if (!(await client.session()).endpoint('object-store', client.region)) throw new Refusal(noStorage);
  const body = { backup: { ...backup, incremental: 0 } };
  try {
    await client.change({ service: 'database', method: 'POST', path: '/backups', body });
  } catch (cause) {
    throw isAboutStorage(cause) ? new Refusal(noStorage) : cause;
  }
}

/** Trove answers that the user is not allowed, or that something is missing, if it does not reach Swift. */
const isAboutStorage = (cause: unknown): boolean => {
  const error = cause instanceof CredentialRejected ? cause.cause : cause;
  return error instanceof CloudError && /swift|object.?stor|storage/i.test(error.message);
};
