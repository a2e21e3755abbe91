import type { KeptStore, ObservedStore } from '../../data.ts';
import { CloudError, ifThere, isCode, Refusal } from '../errors.ts';
import { timeOf } from '../observe/list-stacks.ts';
import type { Region } from '../region.ts';

/** Data of one store that is to be kept for a request. */
export interface KeepRequest {
  stackId: string;
  store: ObservedStore;
  /** Equal in every retry of one request. */
  intent: string;
}

interface BackupPolicy {
  PreferredBackupPeriod?: string;
  PreferredBackupTime?: string;
  /** `Lastest` is how RDS spells it. */
  ReleasedKeepPolicy?: 'None' | 'Lastest' | 'All' | '';
}

export interface BackupRow {
  BackupId?: string | number;
  DBInstanceId?: string;
  BackupStatus?: string;
  BackupMode?: string;
  BackupEndTime?: string;
}

const readPolicy = ({ clients }: Region, DBInstanceId: string): Promise<BackupPolicy> =>
  clients.call<BackupPolicy>({ service: 'rds', action: 'DescribeBackupPolicy', query: { DBInstanceId } });

const keepsBackups = ({ ReleasedKeepPolicy: policy }: BackupPolicy): boolean =>
  policy === 'Lastest' || policy === 'All';

/** RDS wants the times of backups with every change of the policy. */
async function setPolicy(
  { clients }: Region,
  DBInstanceId: string,
  { policy, wanted }: { policy: BackupPolicy; wanted: 'None' | 'Lastest' },
): Promise<void> {
  const { PreferredBackupPeriod = '', PreferredBackupTime = '' } = policy;
  await clients.call({
    service: 'rds',
    action: 'ModifyBackupPolicy',
    query: {
      DBInstanceId,
      BackupPolicyMode: 'DataBackupPolicy',
      PreferredBackupPeriod,
      PreferredBackupTime,
      ReleasedKeepPolicy: wanted,
    },
  });
}

async function readBackups({ clients }: Region, DBInstanceId: string): Promise<readonly BackupRow[]> {
  const { Items } = await clients.call<{ Items?: { Backup?: readonly BackupRow[] } }>({
    service: 'rds',
    action: 'DescribeBackups',
    query: { DBInstanceId, PageSize: 100 },
  });
  return Items?.Backup ?? [];
}

/** Another backup runs, or the database is being changed. */
const notNow = /BackupJobExists|DBInstanceStat(e|us)/;

/** False: RDS cannot begin one now. */
async function startBackup({ clients }: Region, DBInstanceId: string): Promise<boolean> {
  try {
    await clients.call({ service: 'rds', action: 'CreateBackup', query: { DBInstanceId } });
    return true;
  } catch (cause) {
    if (!isCode(cause, notNow)) throw cause;
    return false;
  }
}

/** Begins the last backup, and lets RDS keep it after the database is gone. */
async function begin(region: Region, id: string, request: string): Promise<void> {
  const policy = await readPolicy(region, id);
  if (!keepsBackups(policy)) await setPolicy(region, id, { policy, wanted: 'Lastest' });
  const known = new Set((await readBackups(region, id)).map(({ BackupId }) => String(BackupId)));
  if (await startBackup(region, id)) region.lastBackups.set(request, known);
}

export const keptBackup = ({ DBInstanceId = '', BackupId, BackupEndTime }: BackupRow): KeptStore => ({
  storeId: DBInstanceId,
  reference: String(BackupId),
  where: `Backup ${BackupId} of the released RDS instance ${DBInstanceId}: RDS console, Backups, Backups for Deleted Instances.`,
  since: timeOf(BackupEndTime),
  until: null,
});

/** Automated backups may have begun before the request. */
const lastBackupIn = (rows: readonly BackupRow[], known: ReadonlySet<string>): BackupRow | undefined =>
  rows.find(({ BackupId, BackupMode }) => BackupMode === 'Manual' && !known.has(String(BackupId)));

/**
 * Makes a last backup of a database. False: it is not complete yet. A server that forgot its backup, after a restart, makes another
 * one: the last one counts.
 */
export async function keepDatabase(
  region: Region,
  { stackId, store, intent }: KeepRequest,
): Promise<boolean> {
  const { id, resource } = store;
  const request = `${id} ${intent}`;
  const known = region.lastBackups.get(request);
  if (!known) {
    await begin(region, id, request);
    return false;
  }
  const backup = lastBackupIn(await readBackups(region, id), known);
  if (backup?.BackupStatus === 'Failed') {
    region.lastBackups.delete(request);
    throw new Refusal(`The last backup of ${resource} (${id}) failed. Nothing was deleted. Try again.`);
  }
  if (backup?.BackupStatus !== 'Success') return false;
  if (!keepsBackups(await readPolicy(region, id)))
    throw new Refusal(
      `RDS does not keep the backups of ${resource} (${id}) after it is released. Nothing was deleted. ` +
        'Back it up by hand, then use data=delete.',
    );
  const others = (region.kept.get(stackId) ?? []).filter(({ storeId }) => storeId !== id);
  region.kept.set(stackId, [...others, keptBackup({ DBInstanceId: id, ...backup })]);
  return true;
}

/** Without this, RDS keeps the last backup of every MySQL instance, and bills it. An instance that rejects it keeps none. */
export async function dropBackups(region: Region, id: string): Promise<void> {
  try {
    const policy = await ifThere(() => readPolicy(region, id));
    if (policy && keepsBackups(policy)) await setPolicy(region, id, { policy, wanted: 'None' });
  } catch (cause) {
    if (!(cause instanceof CloudError)) throw cause;
  }
}
