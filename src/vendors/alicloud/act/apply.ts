import { type Answer, accepted, notBegun, refused, type StackOnVendor } from '../../vendor.ts';
import { replacedIn, storesIn } from '../data.ts';
import type { Template, TemplateResource } from '../document.ts';
import { isCode, Refusal, toStackAnswer } from '../errors.ts';
import { holdsData } from '../layout/impact.ts';
import { stackName, stackTag, triedTag } from '../names.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { readDetails } from '../observe/read-details.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { markedVersion, noteOf, plainVersion } from '../observe/versions.ts';
import { readDataStores } from '../observe/view.ts';
import { replacements } from '../preview.ts';
import { findCloudStack, type Region, readNow } from '../region.ts';
import { mayBeReplaced } from '../updatable.ts';
import { findReplacedData } from './forecast.ts';
import { prepareLosses } from './keep-data.ts';
import { readTemplate } from './live-stack.ts';
import { requestDeletion } from './remove.ts';
import { type AlicloudApplyRequest, createToken, putSecrets, stackRequest, updateToken } from './requests.ts';

/** Takes one step towards the version. If the state of the stack allows none yet, does nothing until called again. */
export const apply = (
  region: Region,
  { id }: StackOnVendor,
  request: AlicloudApplyRequest,
): Promise<Answer> =>
  toStackAnswer(async () => {
    const { order, value: existing } = await findCloudStack(region, id, region.pollMs / 5);
    if (region.operations.acceptedSince(id, order)) return accepted;
    if (!existing) return create(region, id, request);
    const { move } = phaseOf(existing.status);
    if (move === 'wait') return accepted;
    return move === 'recreate' ? deleteFailed(region, existing) : update(region, existing, request);
  });

async function create(region: Region, stackId: string, request: AlicloudApplyRequest): Promise<Answer> {
  const { document, version } = request;
  await putSecrets(region, stackId, request);
  const { query, body } = stackRequest(region, { stackId, document, version });
  const own = { StackName: stackName(stackId), Tags: [{ Key: stackTag, Value: stackId }] };
  try {
    await region.clients.call({
      service: 'ros',
      action: 'CreateStack',
      query: { ...query, ...own, ClientToken: createToken(version) },
      body,
    });
  } catch (cause) {
    // The name contains the stack id, so an existing stack of that name was created by an earlier, interrupted request.
    if (!isCode(cause, /^StackExists$/)) throw cause;
  }
  region.operations.accept(stackId, { doing: 'apply', version });
  return accepted;
}

async function update(region: Region, existing: CloudStack, request: AlicloudApplyRequest): Promise<Answer> {
  const { version, document } = request;
  // Asked for before from this state: the update has not begun, or it ended in the second in which the one before it began.
  if (existing.note === noteOf(version, existing)) region.details.delete(existing.stackId);
  const { rawVersion } = await readDetails(region, existing);
  if (phaseOf(existing.status).kind === 'settled' && plainVersion(rawVersion) === version) return accepted;
  const live = await readTemplate(region, existing);
  const replaced = replacedBy(live, document.template);
  await putSecrets(region, existing.stackId, request);
  const wanted = { stackId: existing.stackId, document, version: markedVersion(version, rawVersion) };
  if (replaced.length > 0 && Object.values(live.Resources).some(holdsData))
    refuseLosses(await findReplacedData(region, existing, wanted), replaced);
  if (!(await prepareUpdate(region, existing, { live, request }))) return notBegun;
  const { query, body } = stackRequest(region, wanted);
  const option = { ReplacementOption: replaced.length > 0 ? 'Enabled' : 'Disabled' };
  const sent = { ...query, ...option, StackId: existing.rosId };
  await noteVersion(region, existing, version);
  return requestUpdate(region, existing, {
    version,
    query: { ...sent, ClientToken: updateToken(version, existing, { ...sent, ...body }) },
    body,
  });
}

/** False: data that the update removes is not kept yet. */
async function prepareUpdate(
  region: Region,
  stack: CloudStack,
  { live, request }: { live: Template; request: AlicloudApplyRequest },
): Promise<boolean> {
  const { document, version: intent, releases = [] } = request;
  const replaced = replacedIn(live, document.template);
  const isLost = ({ resource }: { resource: string }): boolean =>
    replaced.includes(resource) || !Object.hasOwn(document.template.Resources, resource);
  if (!storesIn(live).some((store) => store.kind !== 'disk' && isLost(store))) return true;
  const stores = (await readDataStores(region, stack)).filter(isLost);
  return prepareLosses(region, { stack, stores, releases, intent });
}

const isReplaceable = (resource: TemplateResource | undefined): boolean =>
  resource !== undefined && mayBeReplaced(resource.Type);

/** One switch allows all replacements of an update: with it, nothing else may be left to be replaced. */
function replacedBy(before: Template, after: Template): string[] {
  const replaced = replacements(before, after);
  const lost = replaced.filter(
    (name) => !isReplaceable(before.Resources[name]) || !isReplaceable(after.Resources[name]),
  );
  if (lost.length > 0)
    throw new Refusal(
      `Alibaba Cloud would delete ${lost.join(' and ')} and make another one, and what is in it would be lost. ` +
        'Keep these values as they are in the ROS stack, or use new names.',
    );
  return replaced;
}

function refuseLosses(lost: readonly string[] | undefined, replaced: readonly string[]): void {
  if (!lost)
    throw new Refusal(
      'ROS did not say what this update would replace, and the stack has data. The update was not started. ' +
        `Try again, or leave out what replaces other resources: ${replaced.join(', ')}.`,
    );
  if (lost.length === 0) return;
  throw new Refusal(
    `By the forecast of ROS, this update may replace ${lost.join(' and ')}, and its data would be lost. The update was not started. ` +
      `Leave out what replaces other resources: ${replaced.join(', ')}.`,
  );
}

/** See `noteOf`. */
async function noteVersion({ clients }: Region, existing: CloudStack, version: string): Promise<void> {
  const note = noteOf(version, existing);
  if (existing.note === note) return;
  await clients.call({
    service: 'ros',
    action: 'TagResources',
    query: { ResourceType: 'stack', ResourceId: [existing.rosId], Tag: [{ Key: triedTag, Value: note }] },
  });
}

interface Update {
  version: string;
  query: object;
  body: { TemplateBody: string };
}

async function requestUpdate(
  region: Region,
  existing: CloudStack,
  { version, query, body }: Update,
): Promise<Answer> {
  try {
    await region.clients.call({ service: 'ros', action: 'UpdateStack', query: { ...query }, body });
  } catch (cause) {
    if (!isCode(cause, /^NotSupported$/) || !(await isAtVersion(region, existing.stackId, version)))
      throw cause;
    return accepted;
  }
  region.operations.accept(existing.stackId, { doing: 'apply', version });
  return accepted;
}

/** Whether the stack already has the version, or is on its way, and the earlier read was out of date. */
async function isAtVersion(region: Region, stackId: string, version: string): Promise<boolean> {
  const stack = await readNow(region, stackId);
  if (!stack || phaseOf(stack.status).kind === 'busy') return true;
  const { rawVersion } = await readDetails(region, stack);
  return phaseOf(stack.status).kind === 'settled' && plainVersion(rawVersion) === version;
}

/**
 * A failed creation or deletion cannot be updated, only deleted; the next step creates the stack again. A creation that failed holds no
 * data. The rest of a stack whose deletion failed may: that is not deleted here.
 */
async function deleteFailed(region: Region, failed: CloudStack): Promise<Answer> {
  const stores = failed.status === 'DELETE_FAILED' ? await readDataStores(region, failed) : [];
  const data = stores.map(({ resource }) => resource);
  if (data.length > 0)
    return refused(
      `The deletion of the stack failed, and ROS can only go on deleting, which would delete the data of ${data.join(' and ')}. ` +
        'First delete the stack; after that, an update creates it again.',
    );
  await requestDeletion(region, failed);
  return accepted;
}
