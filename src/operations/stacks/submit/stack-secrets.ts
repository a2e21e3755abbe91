import type { Secret } from '../../../basics/secret.ts';
import type { Compiled } from '../../../languages/language.ts';
import type { Query } from '../../../store/database/database.ts';
import { insertVersionSecrets, readVersionSecrets } from '../../../store/stacks/versions.ts';
import { refuseDocument } from '../../documents/refuse-document.ts';
import { type Service, sealedFor } from '../../service.ts';

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

/** Refuses a document that refers to a secret which is not stored. */
export function refuseUnkeptSecrets({ keptSecrets }: Compiled, known: ReadonlyMap<string, string>): void {
  const missing = keptSecrets.filter((name) => !known.has(name));
  if (missing.length > 0)
    refuseDocument(missing.map((path) => ({ path, message: 'no secret is stored here; send its value' })));
}

/** Returns the secrets the document keeps from the previous version, still sealed. */
async function keptSecretsOf(
  query: Query,
  previous: string | null,
  compiled: Compiled,
): Promise<Map<string, string>> {
  const known = previous === null ? new Map<string, string>() : await readVersionSecrets(query, previous);
  refuseUnkeptSecrets(compiled, known);
  return new Map(compiled.keptSecrets.map((name) => [name, known.get(name) as string]));
}

interface VersionSecrets {
  stackId: string;
  versionId: string;
  /** Id of the version whose secrets the document may keep. */
  previous: string | null;
  compiled: Compiled;
}

export async function keepVersionSecrets(
  service: Service,
  query: Query,
  { stackId, versionId, previous, compiled }: VersionSecrets,
): Promise<void> {
  const kept = await keptSecretsOf(query, previous, compiled);
  const fresh = sealAll(service, stackId, compiled.secrets);
  await insertVersionSecrets(query, versionId, new Map([...kept, ...fresh]));
}
