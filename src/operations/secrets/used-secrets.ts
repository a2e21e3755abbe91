import { at, type Problem } from '../../basics/problem.ts';
import type { Container, StackModel } from '../../model/stack-model.ts';
import type { Query } from '../../store/database/database.ts';
import { findSecrets, insertSecretUses, readSecretUses } from '../../store/secrets/secrets.ts';
import { findStackById, type StackRow } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import { refuseDocument } from '../documents/refuse-document.ts';
import type { Service } from '../service.ts';
import { ownedSecret, requireOnSecret } from './rights.ts';

export const secretsOf = ({ accountSecrets = [] }: Container): string[] => [
  ...new Set(accountSecrets.map(({ secret }) => secret)),
];

const secretsIn = ({ layers }: StackModel): string[] => [
  ...new Set(layers.flatMap(({ container }) => (container ? secretsOf(container) : []))),
];

export const secretsLock = (accountId: string): string => `secrets of ${accountId}`;

const missingMessage = (name: string): string =>
  `uses secret ${name}, which does not exist. Set it first: alm secret set ${name}.`;

/** Problems with the secrets that a model uses, by the paths of the model. */
export async function missingSecrets(query: Query, accountId: string, model: StackModel): Promise<Problem[]> {
  const known = new Set((await findSecrets(query, accountId, secretsIn(model))).map(({ name }) => name));
  return model.layers.flatMap(({ container }, index) =>
    (container ? secretsOf(container) : [])
      .filter((name) => !known.has(name))
      .map((name) => ({
        path: at('layers', index, 'container/accountSecrets'),
        message: missingMessage(name),
      })),
  );
}

interface SubmittedSecrets {
  actor: Actor;
  model: StackModel;
  /** The stack as it is, if it exists: who may update it may keep the secrets that it uses. */
  stack?: StackRow;
}

/** Refuses a sender who may not use one of the secrets: a container could show it to the sender. */
export async function requireSecretUse(
  query: Query,
  { actor, model, stack }: SubmittedSecrets,
): Promise<void> {
  const used = secretsIn(model);
  if (used.length === 0) return;
  const known = new Set(stack ? await readSecretUses(query, stack.desired_version) : []);
  const others = used.filter((name) => !known.has(name));
  for (const row of await findSecrets(query, actor.accountId, others))
    requireOnSecret(actor, 'secret:useSecret', ownedSecret(row));
}

/** Notes the secrets that a new version uses, so that they are not deleted, and a new value finds the stack. Runs in its transaction. */
export async function keepSecretUses(
  { database }: Service,
  query: Query,
  { id, stack_id: stackId, model }: { id: string; stack_id: string; model: StackModel },
): Promise<void> {
  const used = secretsIn(model);
  if (used.length === 0) return;
  const stack = await findStackById(query, stackId);
  if (!stack) throw new Error(`Stack ${stackId} is not in the store.`);
  await database.lockShared(query, secretsLock(stack.account_id));
  const missing = await missingSecrets(query, stack.account_id, model);
  if (missing.length > 0)
    refuseDocument(missing.map(({ message }) => ({ path: '', message: `The version ${message}` })));
  await insertSecretUses(query, id, used);
}
