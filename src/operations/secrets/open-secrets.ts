import { Failure } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';
import type { Container } from '../../model/stack-model.ts';
import { readSealedSecrets } from '../../store/secrets/secrets.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import { type Service, sealedFor } from '../service.ts';

/** Secrets of the account by the names that the container has for them. */
export interface GivenSecrets {
  variables: ReadonlyMap<string, Secret>;
  files: ReadonlyMap<string, Secret>;
}

interface Wanted {
  stack: Pick<StackRow, 'account_id'>;
  accountSecrets: Container['accountSecrets'];
}

/** Opens the secrets for a program on an instance. No user gets them, the master neither: they are written once, and used. */
export async function openAccountSecrets(
  { database, sealer }: Service,
  actor: Actor,
  { stack: { account_id: accountId }, accountSecrets = [] }: Wanted,
): Promise<GivenSecrets> {
  const wanted = actor.kind === 'user' ? [] : accountSecrets;
  const names = [...new Set(wanted.map(({ secret }) => secret))];
  const sealed = await readSealedSecrets(database.query, accountId, names);
  const valueOf = (name: string): Secret => {
    const value = sealed.get(name);
    if (value === undefined)
      throw new Failure('conflict', `Secret ${name} does not exist`, {
        description: `The container needs it. Set it: alm secret set ${name}.`,
      });
    return sealer.unseal(value, sealedFor.accountSecret(accountId, name));
  };
  const given = (form: string) =>
    new Map(wanted.filter(({ as }) => as === form).map(({ name, secret }) => [name, valueOf(secret)]));
  return { variables: given('variable'), files: given('file') };
}
