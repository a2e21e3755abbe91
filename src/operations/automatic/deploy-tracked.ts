import { Failure, type FailureKind } from '../../basics/failure.ts';
import { setImages } from '../../languages/set-images.ts';
import { findLastAutomatic, findResponsible } from '../../store/automatic/automatic-versions.ts';
import { findPause } from '../../store/automatic/paused-stacks.ts';
import {
  changeTrackedLayer,
  claimDue,
  endClaim,
  listDueStacks,
  listTrackedLayers,
} from '../../store/automatic/tracked-layers.ts';
import type { ImageRow } from '../../store/registry/images.ts';
import { findStackById, type StackRow } from '../../store/stacks/stacks.ts';
import { readDesiredVersion, type VersionRow } from '../../store/stacks/versions.ts';
import { registryAddress } from '../registry/address.ts';
import { requirePullFrom } from '../registry/require-pull.ts';
import { followedOn, newerThanPresent, pinnedImage } from '../registry/track/followed.ts';
import type { Service } from '../service.ts';
import { requireResponsible } from './responsible.ts';
import { noteRefusal, submitAutomatic } from './submit-automatic.ts';

/** A push every second must not make a version every second: the last one counts. */
const betweenVersionsMs = 10_000;

/** How long a server has for one stack, before another one tries again. */
const claimMs = 60_000;
const stacksAtOnce = 20;

interface Newer {
  flag: string;
  index: number;
  image: ImageRow;
  /** As the template names it. */
  pinned: string;
}

/** What was pushed for the layers of the desired version, and was not tried before. */
async function newerImages(service: Service, { stack_id: stackId, model }: VersionRow): Promise<Newer[]> {
  const { query } = service.database;
  const address = await registryAddress(service);
  if (!address) return [];
  const { host } = new URL(address.url);
  const tried = new Map((await listTrackedLayers(query, stackId)).map((row) => [row.flag, row.tried_digest]));
  const found: Newer[] = [];
  for (const [index, { flag, container }] of model.layers.entries()) {
    const followed = followedOn(host, container?.track ?? '');
    if (!container || !followed) continue;
    const image = await newerThanPresent(query, host, { followed, image: container.image });
    if (image && image.digest !== tried.get(flag))
      found.push({ flag, index, image, pinned: pinnedImage(host, image) });
  }
  return found;
}

const shortDigest = (digest: string): string => `${digest.slice(0, 'sha256:'.length + 12)}…`;

const causeOf = (newer: readonly Newer[]): string =>
  [...new Set(newer.map(({ image }) => image))]
    .map(({ repository, tag, digest }) => `${repository}:${tag} was pushed (${shortDigest(digest)})`)
    .join(' and ');

interface Deployment {
  stack: StackRow;
  version: VersionRow;
  newer: readonly Newer[];
}

async function deploy(service: Service, { stack, version, newer }: Deployment): Promise<void> {
  const { query } = service.database;
  const actor = await requireResponsible(service, stack, await findResponsible(query, stack.id, version.id));
  await requirePullFrom(
    query,
    actor,
    newer.map(({ image }) => image.repository),
  );
  const images = new Map(newer.map(({ index, pinned }) => [index, pinned]));
  const document = setImages(version.document, images);
  if (!document) throw new Failure('conflict', 'The container of the layer comes from a function');
  await submitAutomatic(service, actor, { stack, document, cause: causeOf(newer) });
}

/** Kinds of failures after which the same attempt may succeed. */
const passing: ReadonlySet<FailureKind> = new Set([
  'vendor_trouble',
  'registry_trouble',
  'unavailable',
  'too_many_requests',
  'internal',
]);

/** Returns when to look again; null: after the next push. */
async function deployOrNote(service: Service, deployment: Deployment): Promise<number | null> {
  const { stack, newer } = deployment;
  try {
    await deploy(service, deployment);
  } catch (error) {
    if (!(error instanceof Failure) || passing.has(error.kind)) throw error;
    // Another update was first: what is newer is to be found out again.
    if (error.kind === 'precondition_failed') return service.clock.now();
    await noteRefusal(service, stack, { cause: causeOf(newer), failure: error });
  }
  for (const { flag, image } of newer)
    await changeTrackedLayer(
      service.database.query,
      { stack_id: stack.id, flag },
      { tried_digest: image.digest, missed_tag: '', missed_digest: '', missed_at: null },
    );
  return null;
}

const isUpdatable = ({ deleted_at, operation, status }: StackRow): boolean =>
  deleted_at === null && (operation !== 'DELETE' || status === 'DELETE_FAILED');

/** Returns when to look again; null: after the next push. */
async function deployNewer(service: Service, stackId: string): Promise<number | null> {
  const { query } = service.database;
  const stack = await findStackById(query, stackId);
  if (!stack || !isUpdatable(stack)) return null;
  const last = await findLastAutomatic(query, stackId);
  const earliest = (last?.created_at ?? 0) + betweenVersionsMs;
  if (earliest > service.clock.now()) return earliest;
  const version = await readDesiredVersion(query, stack);
  const newer = await newerImages(service, version);
  if (newer.length === 0) return null;
  if (!(await findPause(query, stackId))) return deployOrNote(service, { stack, version, newer });
  for (const { flag, image } of newer)
    await changeTrackedLayer(
      query,
      { stack_id: stackId, flag },
      { missed_tag: image.tag, missed_digest: image.digest, missed_at: service.clock.now() },
    );
  return null;
}

async function lookAt(service: Service, stackId: string): Promise<void> {
  const { query } = service.database;
  const now = service.clock.now();
  const until = now + claimMs;
  if (!(await claimDue(query, stackId, { now, until }))) return;
  await endClaim(query, stackId, { until, next: await deployNewer(service, stackId) });
}

/** Deploys what was pushed for stacks that follow it. A stack that fails is tried again later, and does not stop the others. */
export async function deployDue(service: Service, failed: (error: unknown) => void): Promise<void> {
  const { clock, database } = service;
  for (const stackId of await listDueStacks(database.query, clock.now(), stacksAtOnce))
    await lookAt(service, stackId).catch(failed);
}
