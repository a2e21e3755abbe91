import { Secret } from '../basics/secret.ts';
import { databaseVariables } from '../model/platform-variables.ts';
import { newDatabasePassword } from '../model/names.ts';
import type { StackModel } from '../model/stack-model.ts';
import type { Query } from '../store/database.ts';
import { findSecretOfStack, insertVersionSecrets, readVersionSecrets } from '../store/versions.ts';
import { type Service, sealedFor } from './service.ts';

/** The name it is kept under, among a version's secrets. */
const secretName = 'database/password';

/**
 * One password for a stack's databases, made with the first version that has any and carried on to every later one,
 * also when that is a roll back. It is never made anew: the databases would not know the new one. So far only the
 * agents are told; a vendor that makes real databases is to set it on them, for user and database `app`.
 */
export async function keepDatabasePassword(
  service: Service,
  query: Query,
  { id, stack_id: stackId, model }: { id: string; stack_id: string; model: string },
): Promise<void> {
  if ((await readVersionSecrets(query, id)).has(secretName)) return;
  const known = await findSecretOfStack(query, stackId, secretName);
  if (known === undefined && (JSON.parse(model) as StackModel).databases.length === 0) return;
  const sealed =
    known ??
    service.sealer.seal(new Secret(newDatabasePassword()), sealedFor.stackSecret(stackId, secretName));
  await insertVersionSecrets(query, id, new Map([[secretName, sealed]]));
}

/** How a stack's containers sign in to its databases. */
export const databaseAccess = (
  { databases }: StackModel,
  open: (name: string) => Secret | undefined,
): Record<string, string> => (databases.length === 0 ? {} : databaseVariables(open(secretName)?.reveal()));
