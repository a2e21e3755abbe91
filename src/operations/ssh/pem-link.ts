import { Failure, notFound } from '../../basics/failure.ts';
import { randomText } from '../../basics/random.ts';
import type { Secret } from '../../basics/secret.ts';
import type { StackModel } from '../../model/stack-model.ts';
import {
  deleteExpiredPemLinks,
  insertPemLink,
  type PemLinkRow,
  takePemLinkRead,
} from '../../store/ssh/pem-links.ts';
import { addEvents } from '../../store/stacks/events.ts';
import { findStackById, type StackRow } from '../../store/stacks/stacks.ts';
import { findVersion } from '../../store/stacks/versions.ts';
import { type Actor, nameOf } from '../access/access.ts';
import { digest } from '../access/secret-hash.ts';
import { refuseSuspended } from '../access/suspension.ts';
import { recordOther } from '../audit/write-entries.ts';
import { findExistingStack, type StackReference } from '../find-stack.ts';
import type { Service } from '../service.ts';
import { keyReaderOf, readLayerKey } from './layer-key.ts';

const lifetimeMs = 5 * 60_000;
/** The gateway reads a link several times: for a terminal, and for each command. */
const maxReads = 5;

export interface PemLinkRequest extends StackReference {
  flag?: string | undefined;
}

/** Creates a short-lived URL that returns a layer's private key without a token. An event records who requested it. */
export async function createPemLink(
  service: Service,
  actor: Actor,
  request: PemLinkRequest,
): Promise<string> {
  const { database, clock, settings } = service;
  const stack = await findExistingStack(database.query, actor.accountId, request);
  const flag = chooseLayer(await modelOf(service, stack), request.flag);
  await keyReaderOf(service, stack);
  const secret = randomText(43);
  const now = clock.now();
  const link = { hash: digest(secret), stack_id: stack.id, flag, expires_at: now + lifetimeMs };
  const message = `${nameOf(actor)} asked for a link to the private key of layer ${flag}.`;
  await database.transaction(async (query) => {
    await deleteExpiredPemLinks(query, now);
    await insertPemLink(query, {
      ...link,
      reads_left: maxReads,
      created_by: `${actor.kind} ${nameOf(actor)}`,
    });
    const versionId = stack.desired_version;
    await addEvents(query, stack.id, [{ at: now, kind: 'request', resource: flag, message, versionId }]);
  });
  await database.notify('stack-event', stack.id);
  return `${settings.baseUrl}/v3/alm/pem/${secret}`;
}

async function modelOf(service: Service, stack: StackRow): Promise<StackModel> {
  const version = await findVersion(service.database.query, stack.id, stack.desired_version);
  if (!version) throw new Error(`Version ${stack.desired_version} of stack ${stack.id} is not in the store.`);
  return version.model;
}

function chooseLayer({ layers }: StackModel, wanted: string | undefined): string {
  const flags = layers.filter((layer) => layer.keyPair).map((layer) => layer.flag);
  if (wanted) {
    if (!flags.includes(wanted)) throw notFound('A key pair of layer', wanted);
    return wanted;
  }
  const [first, ...others] = flags;
  if (first === undefined) throw new Failure('not_found', 'No layer of this stack has a key pair');
  if (others.length > 0)
    throw new Failure('invalid_request', 'flag not specified', {
      description: `Several layers have a key pair; specify one of: ${flags.join(', ')}.`,
    });
  return first;
}

const invalidLink = () =>
  new Failure('not_found', 'This link is invalid, expired, or was read too often', {
    description: 'Request a new one at /v3/alm/pem.',
  });

/** The caller is unknown: the entry names the actor that asked for the link. */
async function recordDownload(service: Service, stack: StackRow, link: PemLinkDownload): Promise<void> {
  const [kind = '', name = '-'] = link.created_by.split(' ');
  await recordOther(service, {
    account_id: stack.account_id,
    actor_kind: kind === 'client' ? 'client' : 'user',
    actor: name,
    action: 'stack:describePem',
    resource: `mrn:alm:stack:${stack.id}`,
    route: 'v3ReadKey',
    address: link.request.address,
    request_id: link.request.id,
    detail: `downloaded the private key of layer ${link.flag} with a link, without a token`,
    stackId: stack.id,
  });
}

interface PemLinkDownload extends PemLinkRow {
  request: { id: string; address: string };
}

/** Reads the key of a link, and records it before the key is returned. */
export async function readPem(
  service: Service,
  linkSecret: string,
  request: PemLinkDownload['request'],
): Promise<Secret> {
  const { query } = service.database;
  const link = await takePemLinkRead(query, digest(linkSecret), service.clock.now());
  const stack = link && (await findStackById(query, link.stack_id));
  if (!stack || stack.deleted_at !== null) throw invalidLink();
  await refuseSuspended(query, stack.account_id);
  const key = await readLayerKey(service, stack, link.flag);
  await recordDownload(service, stack, { ...link, request });
  return key;
}
