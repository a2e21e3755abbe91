import { Failure } from '../../../basics/failure.ts';
import { isDigest, isTag } from '../../../model/registry/image-id.ts';
import { isRepositoryName, ownerOf } from '../../../model/registry/repository-name.ts';
import type { Registry } from '../../../registry/registry.ts';
import { recordPull, tagsOfDigest } from '../../../store/registry/images.ts';
import { equalTexts } from '../../access/secret-hash.ts';
import type { Service } from '../../service.ts';
import { registrySecrets } from '../keys/signing-keys.ts';
import { noticePush } from '../track/notice-push.ts';
import { firstAccountOf } from './find-repository.ts';
import { openRegistry, ownSubject } from './open-registry.ts';
import { refreshAndNotice } from './refresh-and-notice.ts';
import { refreshTag } from './refresh-tags.ts';
import type { EventWork } from './registry-events.ts';
import { waitForTag } from './wait-for-tag.ts';

/** One event of a registry, as far as it counts here. */
export interface RegistryEvent {
  action: string;
  timestamp?: string | undefined;
  target?:
    | {
        repository?: string | undefined;
        digest?: string | undefined;
        tag?: string | undefined;
        mediaType?: string | undefined;
      }
    | undefined;
  actor?: { name?: string | undefined } | undefined;
}

/** Also the secrets of the next and old keys: a registry may have an older or a newer configuration. */
export async function requireNotificationSecret(service: Service, token: string | null): Promise<void> {
  const secrets = await registrySecrets(service, 'notifications');
  if (token !== null && secrets.some((secret) => equalTexts(secret.reveal(), token))) return;
  throw new Failure('unauthorized', 'The secret of the notifications is missing or wrong', {
    description: 'The operator writes the configuration of the registry again: almanac registry config.',
  });
}

const maxActor = 200;

const timeOf = (service: Service, { timestamp }: RegistryEvent): number => {
  const at = Date.parse(timestamp ?? '');
  // A clock that is ahead must not make a push newer than all later ones.
  return Number.isNaN(at) ? service.clock.now() : Math.min(at, service.clock.now());
};

interface ManifestEvent {
  event: RegistryEvent;
  repository: string;
  digest: string;
  tag: string | null;
}

/** Null: it is about a layer or something that cannot be named here. Deletions have no media type. */
function manifestEvent(event: RegistryEvent): ManifestEvent | null {
  const { repository = '', digest = '', tag, mediaType = '' } = event.target ?? {};
  const isManifest = event.action === 'delete' || /manifest|index/.test(mediaType);
  if (!isManifest || !isRepositoryName(repository) || !isDigest(digest)) return null;
  return { event, repository, digest, tag: tag !== undefined && isTag(tag) ? tag : null };
}

type Receive = (service: Service, registry: Registry, event: ManifestEvent) => Promise<void>;

const receivePush: Receive = async (service, registry, { event, repository, digest, tag }) => {
  if (tag === null) return;
  const by = (event.actor?.name ?? '').slice(0, maxActor);
  const [place, push] = [
    { registry, repository, tag },
    { digest, by, at: timeOf(service, event) },
  ];
  await waitForTag(service, place, push);
  await refreshTag(service, place, push);
  await noticePush(service, place);
};

/** The event names the content, not its tags. */
const receiveDelete: Receive = async (service, registry, { repository, digest, tag }) => {
  const tags = await tagsOfDigest(service.database.query, repository, digest);
  for (const each of new Set([...tags, ...(tag === null ? [] : [tag])]))
    await refreshTag(service, { registry, repository, tag: each });
};

const receivePull: Receive = (service, _registry, { event, repository, digest }) =>
  recordPull(service.database.query, { repository, digest, at: timeOf(service, event) });

const receivers: ReadonlyMap<string, Receive> = new Map([
  ['push', receivePush],
  ['delete', receiveDelete],
  ['pull', receivePull],
]);

/** Reads and placeholders of this server are not pulls and pushes of anybody. Who deletes with it corrects the index. */
const isOwn = ({ action, actor }: RegistryEvent): boolean =>
  actor?.name === ownSubject && action !== 'delete';

/** Work on the same tag is done once; that of another digest is another pull or deletion. */
const keyOf = ({ event, repository, digest, tag }: ManifestEvent): string =>
  event.action === 'push' ? `push ${repository} ${tag}` : `${event.action} ${repository} ${digest}`;

/**
 * Puts the events into the queue of their accounts. Each is only a reason to read the tag again: repeated, late and lost ones do no
 * harm. Where too many wait, the whole repository is read instead, once.
 */
export async function receiveNotifications(
  service: Service,
  events: readonly RegistryEvent[],
): Promise<number> {
  const registry = await openRegistry(service);
  const firstAccountId = await firstAccountOf(service);
  const works = events.flatMap((event): EventWork[] => {
    const receive = receivers.get(event.action);
    const about = isOwn(event) ? null : manifestEvent(event);
    if (!receive || !about) return [];
    const { repository } = about;
    return [
      {
        accountId: ownerOf(repository, firstAccountId),
        key: keyOf(about),
        repository,
        run: () => receive(service, registry, about),
        instead: async () => void (await refreshAndNotice(service, registry, repository)),
      },
    ];
  });
  if (works.length > 0) await service.registryEvents.add(works);
  return works.length;
}
