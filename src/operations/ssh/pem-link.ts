import { Failure, notFound } from '../../basics/failure.ts';
import { randomText } from '../../basics/random.ts';
import type { Secret } from '../../basics/secret.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { deleteExpiredPemLinks, insertPemLink, takePemLinkRead } from '../../store/ssh/pem-links.ts';
import { addEvents } from '../../store/stacks/events.ts';
import { findStack, findStackById, type StackRow } from '../../store/stacks/stacks.ts';
import { findVersion } from '../../store/stacks/versions.ts';
import type { Driver } from '../../vendors/vendor.ts';
import { type Actor, nameOf } from '../access/access.ts';
import { digest } from '../access/secret-hash.ts';
import type { Service } from '../service.ts';
import { connectVendor } from '../stacks/submit/vendor-access.ts';

const lifetimeMs = 5 * 60_000;
/** The gateway reads a link more than once: for a terminal, and for each command. */
const reads = 5;

/** Where one layer's private key can be read without a token, for a short while; who asked is noted. */
export async function createPemLink(
  service: Service,
  actor: Actor,
  asked: { stackId: string; flag?: string | undefined; language: StackRow['language'] },
): Promise<string> {
  const { database, clock, settings } = service;
  const stack = await findStack(database.query, actor.accountId, asked.stackId);
  if (!stack || stack.language !== asked.language || stack.deleted_at !== null)
    throw notFound('Stack', asked.stackId);
  const flag = chooseLayer(await modelOf(service, stack), asked.flag);
  keyReaderOf(await connectVendor(service, stack), stack);
  const secret = randomText(43);
  const now = clock.now();
  const link = { hash: digest(secret), stack_id: stack.id, flag, expires_at: now + lifetimeMs };
  const message = `${nameOf(actor)} asked for a link to the private key of layer ${flag}.`;
  await database.transaction(async (query) => {
    await deleteExpiredPemLinks(query, now);
    await insertPemLink(query, { ...link, reads_left: reads });
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
  const [only, ...others] = flags;
  if (only === undefined) throw new Failure('not_found', 'No layer of this stack has a key pair');
  if (others.length > 0)
    throw new Failure('invalid_request', 'flag not specified', {
      description: `Several layers have a key pair; say which: ${flags.join(', ')}.`,
    });
  return only;
}

type KeyReader = (flag: string) => Promise<Secret | undefined>;

function keyReaderOf(driver: Driver, stack: StackRow): KeyReader {
  const read = driver.readPrivateKey?.bind(driver);
  if (!read)
    throw new Failure('invalid_request', `Vendor ${stack.vendor} does not give private keys out`, {
      description: 'Use a key of your own: add it to the users of the container.',
    });
  const onVendor = { id: stack.id, accountId: stack.account_id, region: stack.region };
  return (flag) => read(onVendor, flag);
}

const linkIsGone = () =>
  new Failure('not_found', 'This link has expired, was read often enough, or never was', {
    description: 'Ask for a new one at /v3/alm/pem.',
  });

/** The key itself, read at the vendor now; nothing of it is kept. */
export async function readPem(service: Service, linkSecret: string): Promise<Secret> {
  const { query } = service.database;
  const link = await takePemLinkRead(query, digest(linkSecret), service.clock.now());
  const stack = link && (await findStackById(query, link.stack_id));
  if (!stack || stack.deleted_at !== null) throw linkIsGone();
  return readLayerKey(service, stack, link.flag);
}

/** Whoever calls this has made sure that the key may be used. */
export async function readLayerKey(service: Service, stack: StackRow, flag: string): Promise<Secret> {
  const readKey = keyReaderOf(await connectVendor(service, stack), stack);
  const key = await readKey(flag).catch((cause: unknown) => {
    throw new Failure('vendor_trouble', 'The vendor could not be asked for the key; try again', { cause });
  });
  if (!key)
    throw new Failure('not_found', `The key pair of layer ${flag} is not there`, {
      description: 'The stack may still be on its way; look at its status.',
    });
  return key;
}
