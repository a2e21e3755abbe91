import type { Secret } from '../../../basics/secret.ts';
import type { Compiled } from '../../../languages/language.ts';
import type { Query } from '../../../store/database/database.ts';
import { insertVersionSecrets, readVersionSecrets } from '../../../store/stacks/versions.ts';
import { type Service, sealedFor } from '../../service.ts';
import { refuseDocument } from './refuse-document.ts';

const sealAll = (
  service: Service,
  stackId: string,
  secrets: ReadonlyMap<string, Secret>,
): Map<string, string> =>
  new Map(
    [...secrets].map(([name, secret]) => [
      name,
      service.sealer.seal(secret, sealedFor.stackSecret(stackId, name)),
    ]),
  );

/** A document may only refer to secrets that are already kept. */
export function refuseUnkeptSecrets({ keptSecrets }: Compiled, known: ReadonlyMap<string, string>): void {
  const missing = keptSecrets.filter((name) => !known.has(name));
  if (missing.length > 0)
    refuseDocument(
      missing.map((path) => ({ path, message: 'no secret is kept under this name; give its value' })),
    );
}

/** What the document says is already known is carried on from the version before, still sealed. */
async function carriedOn(
  query: Query,
  before: string | null,
  compiled: Compiled,
): Promise<Map<string, string>> {
  const known = before === null ? new Map<string, string>() : await readVersionSecrets(query, before);
  refuseUnkeptSecrets(compiled, known);
  return new Map(compiled.keptSecrets.map((name) => [name, known.get(name) as string]));
}

export async function keepVersionSecrets(
  service: Service,
  query: Query,
  version: { stackId: string; id: string; before: string | null },
  compiled: Compiled,
): Promise<void> {
  const carried = await carriedOn(query, version.before, compiled);
  const fresh = sealAll(service, version.stackId, compiled.secrets);
  await insertVersionSecrets(query, version.id, new Map([...carried, ...fresh]));
}
