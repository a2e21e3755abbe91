import type { Clock } from '../../../src/basics/clock.ts';
import type { Double } from './double.ts';
import type { Parameters, Relay } from './relay.ts';

interface Backup {
  BackupId: string;
  DBInstanceId: string;
  BackupStatus: string;
  BackupMode: 'Manual' | 'Automated';
  BackupEndTime: string;
}

export interface Snapshot {
  SnapshotId: string;
  SourceDiskId: string;
  Status: string;
  CreationTime: string;
  Tags: { Tag: { TagKey: string; TagValue: string }[] };
}

const rds = '2014-08-15';
const ecs = '2014-05-26';

/** Lists in the flat form of the SDK: `Tag.1.Key`. */
const tagsIn = (parameters: Parameters): { TagKey: string; TagValue: string }[] =>
  Object.entries(parameters)
    .filter(([key]) => /^Tag\.\d+\.Key$/.test(key))
    .map(([key, TagKey]) => ({ TagKey, TagValue: parameters[key.replace('.Key', '.Value')] ?? '' }));

/**
 * A stand-in for calls that the double does not play: backups of RDS and snapshots of ECS, by the names in the vendor's SDK. It
 * remembers what the calls say, and lists backups of instances that the double no longer has.
 */
export class Backups {
  readonly #double: Double;
  readonly #clock: Clock;
  readonly policies = new Map<string, string>();
  readonly backups: Backup[] = [];
  readonly snapshots: Snapshot[] = [];
  /** The policy of new instances, as for MySQL since 2024. */
  policy = 'Lastest';
  /** Whether RDS takes another policy. */
  takesPolicies = true;

  constructor(double: Double, relay: Relay, clock: Clock) {
    this.#double = double;
    this.#clock = clock;
    const own: [string, string, (parameters: Parameters) => object | Promise<object>][] = [
      [rds, 'DescribeBackupPolicy', (asked) => this.#policyOf(asked)],
      [rds, 'ModifyBackupPolicy', (asked) => this.#setPolicy(asked)],
      [rds, 'CreateBackup', (asked) => this.#createBackup(asked)],
      [rds, 'DescribeBackups', (asked) => this.#listBackups(asked)],
      [rds, 'DescribeDetachedBackups', () => this.#listDetached()],
      [
        ecs,
        'DescribeDisks',
        ({ InstanceId = '' }) => ({ Disks: { Disk: [{ DiskId: `d-of-${InstanceId}` }] } }),
      ],
      [ecs, 'CreateSnapshot', (asked) => this.#createSnapshot(asked)],
      [ecs, 'DescribeSnapshots', (asked) => this.#listSnapshots(asked)],
    ];
    for (const [version, action, answer] of own)
      relay.answers.set(`${version} ${action}`, async (parameters) => answer(parameters));
  }

  /** Ends all backups and snapshots that run. */
  finish(status: 'Success' | 'Failed' = 'Success'): void {
    for (const backup of this.backups) if (backup.BackupStatus === 'Running') backup.BackupStatus = status;
    for (const snapshot of this.snapshots)
      if (snapshot.Status === 'progressing')
        snapshot.Status = status === 'Success' ? 'accomplished' : 'failed';
  }

  /** Nothing was ever backed up. */
  forget(): void {
    this.backups.length = 0;
    this.snapshots.length = 0;
    this.policies.clear();
  }

  /** A backup that nobody asked for. */
  automate(DBInstanceId: string): void {
    this.#add(DBInstanceId, 'Automated').BackupStatus = 'Success';
  }

  /** Backups whose instance is gone, and that its policy keeps. */
  async detached(): Promise<Backup[]> {
    const worlds = await this.#double.worlds();
    const existing = new Set(worlds.flatMap(({ rds: all = {} }) => Object.keys(all)));
    const left = this.backups.filter(
      ({ DBInstanceId: id, BackupStatus }) =>
        BackupStatus === 'Success' && !existing.has(id) && this.#policyFor(id) !== 'None',
    );
    // `Lastest`: only the last one of each instance.
    return [...new Map(left.map((backup) => [backup.DBInstanceId, backup])).values()];
  }

  #time = (): string => new Date(this.#clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  #policyFor = (id: string): string => this.policies.get(id) ?? this.policy;

  #policyOf({ DBInstanceId = '' }: Parameters): object {
    return {
      PreferredBackupPeriod: 'Monday,Thursday',
      PreferredBackupTime: '01:00Z-02:00Z',
      ReleasedKeepPolicy: this.#policyFor(DBInstanceId),
    };
  }

  #setPolicy(asked: Parameters): object {
    const { DBInstanceId = '', BackupPolicyMode, PreferredBackupPeriod, PreferredBackupTime } = asked;
    const isWhole = BackupPolicyMode === 'DataBackupPolicy' && PreferredBackupPeriod && PreferredBackupTime;
    if (!isWhole) throw new Error('RDS needs the times of backups');
    if (this.takesPolicies) this.policies.set(DBInstanceId, asked['ReleasedKeepPolicy'] ?? '');
    return {};
  }

  #add(DBInstanceId: string, BackupMode: Backup['BackupMode']): Backup {
    const BackupId = String(this.backups.length + 1);
    const backup = {
      BackupId,
      DBInstanceId,
      BackupStatus: 'Running',
      BackupMode,
      BackupEndTime: this.#time(),
    };
    this.backups.push(backup);
    return backup;
  }

  #createBackup({ DBInstanceId = '' }: Parameters): object {
    return { BackupJobId: this.#add(DBInstanceId, 'Manual').BackupId };
  }

  #listBackups({ DBInstanceId }: Parameters): object {
    return { Items: { Backup: this.backups.filter((one) => one.DBInstanceId === DBInstanceId) } };
  }

  async #listDetached(): Promise<object> {
    const Backup = await this.detached();
    return { Items: { Backup }, TotalRecordCount: Backup.length, PageNumber: 1 };
  }

  #createSnapshot(asked: Parameters): object {
    const SnapshotId = `s-${this.snapshots.length + 1}`;
    this.snapshots.push({
      SnapshotId,
      SourceDiskId: asked['DiskId'] ?? '',
      Status: 'progressing',
      CreationTime: this.#time(),
      Tags: { Tag: tagsIn(asked) },
    });
    return { SnapshotId };
  }

  #listSnapshots(asked: Parameters): object {
    const wanted = tagsIn(asked);
    const isWanted = ({ Tags: { Tag } }: Snapshot): boolean =>
      wanted.every(({ TagKey, TagValue }) =>
        Tag.some((tag) => tag.TagKey === TagKey && tag.TagValue === TagValue),
      );
    return { Snapshots: { Snapshot: this.snapshots.filter(isWanted) } };
  }
}
