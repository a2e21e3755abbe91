import { Secret } from '../../../basics/secret.ts';
import { newDatabasePassword } from '../../../model/names.ts';
import { databaseVariables } from '../../../model/platform-variables.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { Query } from '../../../store/database/database.ts';
import {
  findSecretOfStack,
  insertVersionSecrets,
  readVersionSecrets,
  replaceVersionSecret,
} from '../../../store/stacks/versions.ts';
import { type Service, sealedFor } from '../../service.ts';

/** The name it is kept under, among a version's secrets. */
const secretName = 'database/password';

/**
 * One password for a stack's databases, made with the first version that has any and carried on to every later one,
 * also when that is a roll back. It is never made anew: the databases would not know the new one. Where the vendor makes
 * passwords up itself, none is made here: it is learned from the vendor when the databases are there.
 */
export async function keepDatabasePassword(
  service: Service,
  query: Query,
  { id, stack_id: stackId, model }: { id: string; stack_id: string; model: StackModel },
  { makeOne }: { makeOne: boolean },
): Promise<void> {
  if ((await readVersionSecrets(query, id)).has(secretName)) return;
  const known = await findSecretOfStack(query, stackId, secretName);
  if (known === undefined && !makeOne) return;
  if (known === undefined && model.databases.length === 0) return;
  const sealed =
    known ??
    service.sealer.seal(new Secret(newDatabasePassword()), sealedFor.stackSecret(stackId, secretName));
  await insertVersionSecrets(query, id, new Map([[secretName, sealed]]));
}

/** Undefined while there is none. */
export async function readDatabasePassword(
  service: Service,
  query: Query,
  { id: stackId, desired_version: versionId }: { id: string; desired_version: string },
): Promise<Secret | undefined> {
  const sealed = (await readVersionSecrets(query, versionId)).get(secretName);
  return sealed === undefined
    ? undefined
    : service.sealer.unseal(sealed, sealedFor.stackSecret(stackId, secretName));
}

/** A password that the vendor made up, for the version that stands and all to come. False: it was known already. */
export async function learnDatabasePassword(
  service: Service,
  query: Query,
  { id: stackId, desired_version: versionId }: { id: string; desired_version: string },
  password: Secret,
): Promise<boolean> {
  const stack = { id: stackId, desired_version: versionId };
  const known = await readDatabasePassword(service, query, stack);
  if (known?.reveal() === password.reveal()) return false;
  const context = sealedFor.stackSecret(stackId, secretName);
  await replaceVersionSecret(query, versionId, {
    name: secretName,
    sealed: service.sealer.seal(password, context),
  });
  return true;
}

/** How a stack's containers sign in to its databases. */
export const databaseAccess = (
  { databases }: StackModel,
  open: (name: string) => Secret | undefined,
): Record<string, string> => (databases.length === 0 ? {} : databaseVariables(open(secretName)?.reveal()));
