import { Failure } from '../basics/failure.ts';

/** Text of another server: one short line of printable characters. */
const shown = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7E]+/g, ' ')
    .trim()
    .slice(0, 200);

const failure = (message: string, description: string): Failure =>
  new Failure('registry_trouble', message, { description });

const retrySeconds = 5;

/** Only a registry that does not answer at the moment has a time for the next try: its other failures do not end by themselves. */
const outage = (message: string, description: string, cause?: unknown): Failure =>
  new Failure('registry_trouble', message, { description, cause, retryAfter: retrySeconds });

/** The innermost error has the reason, such as ECONNREFUSED; the outer one of `fetch` says only that it failed. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown reason';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
};

export const noAnswer = (url: string, error: unknown): Failure =>
  outage(
    `The registry at ${url} does not answer (${shown(reasonOf(error))})`,
    'Check that it is running, and that ALM_REGISTRY_URL or ALM_REGISTRY_INTERNAL_URL is its address. Then try again.',
    error,
  );

export const tooSlow = (url: string, timeoutMs: number): Failure =>
  outage(
    `The registry at ${url} does not answer (no complete answer within ${timeoutMs / 1000} s)`,
    'Check its load and its storage, then try again. The operator can allow more time with ALM_REGISTRY_TIMEOUT.',
  );

export const unavailable = (url: string, what: string): Failure =>
  outage(
    `The registry at ${url} is not available (${shown(what)})`,
    'It may be starting or have too much to do: try again. If it stays, check that it is running, and the proxy in front of it.',
  );

export const tokenRejected = (url: string, reason: string): Failure =>
  failure(
    `The registry at ${url} rejects the token of this server${reason === '' ? '' : ` (${shown(reason)})`}`,
    'The operator checks that the registry has the certificates of this server (almanac registry config), that service and ' +
      'issuer are the same on both sides, and that the clocks agree.',
  );

export const deletionDisabled = (url: string): Failure =>
  failure(
    `Deletion is disabled in the registry at ${url}`,
    'The operator enables it in the configuration of the registry: storage.delete.enabled (almanac registry config has it).',
  );

export const tagChanged = (repository: string, tag: string): Failure =>
  new Failure(
    'conflict',
    `${repository}:${tag} was not deleted: it was pushed again or deleted in the meantime`,
    {
      description:
        'Nothing was changed. Look at the image again, then repeat the deletion if it is still wanted.',
    },
  );

export const unusable = (url: string, what: string): Failure =>
  failure(
    `The registry at ${url} gave an answer that is not usable (${shown(what)})`,
    'Check that ALM_REGISTRY_URL is the address of a container registry, and its log.',
  );

export const tooManyParts = (repository: string, digest: string): Failure =>
  failure(
    `${repository}@${digest} has too many parts`,
    'Nothing was deleted: not all of its parts can be compared with those of other images. The operator deletes it in the registry itself, ' +
      `with DELETE /v2/${repository}/manifests/${digest}.`,
  );
