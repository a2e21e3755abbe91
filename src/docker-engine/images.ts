import type { Readable } from 'node:stream';
import { type Connection, encodePath } from './connection.ts';
import type { Labels } from './container-types.ts';
import { environmentFrom } from './environment.ts';
import { EngineError, ifFound } from './errors.ts';
import type { Image, Images, RegistryLogin } from './types.ts';

interface RawImage {
  Id: string;
  RepoTags: readonly string[] | null;
  RepoDigests?: readonly string[] | null;
  Created: string;
  Size: number;
  Config: {
    Labels: Labels | null;
    Env: readonly string[] | null;
    User?: string;
    ExposedPorts?: Readonly<Record<string, unknown>> | null;
  };
}

const imageFrom = (raw: RawImage): Image => ({
  id: raw.Id,
  references: raw.RepoTags ?? [],
  digests: raw.RepoDigests ?? [],
  labels: raw.Config.Labels ?? {},
  environment: environmentFrom(raw.Config.Env),
  user: raw.Config.User ?? '',
  exposedPorts: Object.keys(raw.Config.ExposedPorts ?? {}),
  createdAt: Date.parse(raw.Created),
  sizeBytes: raw.Size,
});

/** `host:5000/name:tag` → repository and tag. Without a tag, an engine would pull all tags. */
function splitReference(reference: string): { repository: string; tag: string } {
  if (reference.includes('@')) return { repository: reference, tag: '' };
  const colon = reference.indexOf(':', reference.lastIndexOf('/') + 1);
  if (colon === -1) return { repository: reference, tag: 'latest' };
  return { repository: reference.slice(0, colon), tag: reference.slice(colon + 1) };
}

/** Node's base64url omits the padding, and Docker ignores a login without it. */
const loginHeader = ({ username, password }: RegistryLogin): Record<string, string> => {
  const login = JSON.stringify({ username, password: password.reveal() });
  const encoded = Buffer.from(login).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  return { 'x-registry-auth': encoded };
};

async function pull(
  connection: Connection,
  reference: string,
  { login, signal }: { login?: RegistryLogin; signal?: AbortSignal } = {},
): Promise<void> {
  const { repository, tag } = splitReference(reference);
  await connection.drain({
    method: 'POST',
    path: '/images/create',
    query: { fromImage: repository, ...(tag ? { tag } : {}) },
    headers: login ? loginHeader(login) : {},
    idleTimeoutMs: 300_000,
    signal,
  });
}

async function tagImage(connection: Connection, image: string, reference: string): Promise<void> {
  const { repository, tag } = splitReference(reference);
  await connection.status({
    method: 'POST',
    path: `/images/${encodePath(image)}/tag`,
    query: { repo: repository, tag },
  });
}

async function importArchive(
  connection: Connection,
  archive: Readable | Buffer,
  reference: string,
): Promise<string> {
  const query = { fromSrc: '-', repo: splitReference(reference).repository };
  const call = { method: 'POST', path: '/images/create', query, archive, idleTimeoutMs: 600_000 } as const;
  let id = '';
  for await (const { status } of connection.lines<{ status?: string }>(call)) id = status?.trim() || id;
  if (!id)
    throw new EngineError(500, 'The engine returned no image id after the import.', 'POST /images/create');
  // Podman ignores the tag of an import.
  await tagImage(connection, id, reference);
  return id;
}

export const imageCalls = (connection: Connection): Images => ({
  inspect: async (reference) => {
    const call = { method: 'GET', path: `/images/${encodePath(reference)}/json` } as const;
    const raw = await ifFound(connection.json<RawImage>(call));
    return raw && imageFrom(raw);
  },
  pull: (reference, options) => pull(connection, reference, options),
  tag: (image, reference) => tagImage(connection, image, reference),
  remove: async (reference, options = {}) => {
    const query = { force: String(options.force ?? false) };
    const call = { method: 'DELETE', path: `/images/${encodePath(reference)}`, query } as const;
    return (await ifFound(connection.status(call))) !== undefined;
  },
  import: (archive, reference) => importArchive(connection, archive, reference),
});
