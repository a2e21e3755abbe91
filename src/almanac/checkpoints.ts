import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { realClock } from '../basics/clock.ts';
import type { Config } from '../basics/config.ts';
import { readRetiredKeys, readSealingKeys, sealingKeyFile, watchSealingKeys } from '../basics/sealing-key.ts';
import { type Anchors, anchorsOf, type Checkpoint, readCheckpoint } from '../operations/audit/checkpoint.ts';
import {
  appendCheckpoints,
  CheckpointWriter,
  newCheckpoints,
} from '../operations/audit/checkpoint-writer.ts';
import { trustedKeys, vouchForOlderKeys } from '../operations/audit/trusted-keys.ts';
import type { Service } from '../operations/service.ts';
import type { Metrics } from '../server/operational/metrics.ts';
import type { Database } from '../store/database/database.ts';
import { measureCheckpoints } from './measure.ts';

/** Before the server serves: without the file, nobody would notice that the end of a log was cut off. */
export async function prepareCheckpointFile(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await appendCheckpoints(file, []);
  } catch (cause) {
    throw new Error(
      `Checkpoints of the audit log cannot be written to ${file}. Set ALM_AUDIT_CHECKPOINTS to a file, or ALM_DATA to a directory, that the server may write.`,
      { cause },
    );
  }
}

export async function makeCheckpoints(
  { dataDirectory, secretKey, audit }: Config,
  { database, clock }: Service,
  { metrics, failed }: { metrics: Metrics; failed: (error: unknown) => void },
): Promise<CheckpointWriter> {
  const keys = watchSealingKeys(dataDirectory, secretKey);
  await vouchForOlderKeys(database, keys());
  const writer = new CheckpointWriter({
    database,
    clock,
    keys,
    file: audit.checkpointFile,
    webhook: audit.webhook,
    everyMs: audit.checkpointSeconds * 1000,
    failed,
  });
  measureCheckpoints(metrics.registry, () => writer.ageMs());
  return writer;
}

/** Entries after those of the backup are no longer expected. */
export async function recordRestore(config: Config, database: Database): Promise<void> {
  const { dataDirectory, secretKey, audit } = config;
  await prepareCheckpointFile(audit.checkpointFile);
  const keys = watchSealingKeys(dataDirectory, secretKey);
  await vouchForOlderKeys(database, keys());
  const lines = await newCheckpoints({ database, clock: realClock, keys }, 'restore', new Map());
  if (lines.size > 0) await appendCheckpoints(audit.checkpointFile, lines.values());
}

async function readLines(file: string, trusted: ReadonlyMap<string, string>): Promise<Checkpoint[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.flatMap((line, index) => {
    if (line === '') return [];
    try {
      return [readCheckpoint(line, trusted)];
    } catch (cause) {
      throw new Error(`Line ${index + 1} of ${file} is not a valid checkpoint:`, { cause });
    }
  });
}

/** Public parts of the keys that this installation has or had. */
export function readTrustedKeys(
  { dataDirectory, secretKey }: Config,
  database: Database,
): Promise<Map<string, string>> {
  const sealingKeys = [
    ...readSealingKeys(dataDirectory, secretKey),
    ...readRetiredKeys(sealingKeyFile(dataDirectory)),
  ];
  return trustedKeys(database, sealingKeys);
}

/** Reads the given files, or the one of this server if it exists. */
export async function readAnchors(
  { audit }: Config,
  trusted: ReadonlyMap<string, string>,
  files: readonly string[],
): Promise<Anchors> {
  const own = existsSync(audit.checkpointFile) ? [audit.checkpointFile] : [];
  const checkpoints: Checkpoint[] = [];
  for (const file of files.length > 0 ? files : own) checkpoints.push(...(await readLines(file, trusted)));
  return anchorsOf(checkpoints);
}
