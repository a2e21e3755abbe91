import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DataChoice } from '../../../model/data-choice.ts';
import { choiceOf, type Release, type RemoveRequest } from '../../data.ts';
import { type Answer, refused } from '../../vendor.ts';
import { holdsData, isKeepable } from '../data-stores.ts';
import { type Template, type TemplateResource, versionParameter } from '../document.ts';
import { ignoreError, Refusal } from '../errors.ts';
import { readHistory } from '../observe/events.ts';
import { type CloudStack, markedVersion } from '../observe/list-stacks.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { dataIn, liveReleases } from '../observe/view.ts';
import type { Region } from '../region.ts';
import { findSurvivingData, readTemplate } from './live-stack.ts';
import { roleOf, stateHash } from './requests.ts';
import { placeTemplate } from './template-bucket.ts';

/**
 * CloudFormation keeps or deletes data by the policies in the template of the stack. Before the deletion this makes them
 * match the request: they differ if it deletes the data, and in stacks made before data was kept. The state is read from
 * CloudFormation each time, so an interrupted removal continues anywhere.
 */
export async function preparePolicies(
  region: Region,
  stack: CloudStack,
  request: RemoveRequest,
): Promise<'ready' | 'updating' | Answer> {
  if (dataIn(stack).length === 0) return 'ready';
  const current = await readTemplate(region, stack);
  const wanted = withPolicies(current, liveReleases(stack, request.releases));
  if (isDeepStrictEqual(current, wanted)) return 'ready';
  if (phaseOf(stack.status).move !== 'update') {
    const surviving = await findSurvivingData(region, stack, current);
    const isReady = surviving.every((id) => isDeepStrictEqual(current.Resources[id], wanted.Resources[id]));
    return isReady ? 'ready' : cannotChange(stack, request);
  }
  const { token, reason } = await readHistory(region, stack);
  const prefix = tokenPrefix(request);
  if (phaseOf(stack.status).kind === 'broken' && token.startsWith(prefix))
    return cannotChange(stack, request, reason);
  await updatePolicies(region, stack, { template: wanted, token: `${prefix}${stateHash(stack)}` });
  return 'updating';
}

/** The template that keeps or deletes each store, or each of these, as the releases say. */
export const withPolicies = (
  template: Template,
  releases: readonly Release[],
  ids?: ReadonlySet<string>,
): Template =>
  mapResources(template, (id, resource) =>
    holdsData(resource) && ids?.has(id) !== false ? withPolicy(id, resource, releases) : resource,
  );

export const mapResources = (
  template: Template,
  change: (id: string, resource: TemplateResource) => TemplateResource,
): Template => ({
  ...template,
  Resources: Object.fromEntries(
    Object.entries(template.Resources).map(([id, resource]) => [id, change(id, resource)]),
  ),
});

function withPolicy(id: string, resource: TemplateResource, releases: readonly Release[]): TemplateResource {
  const DeletionPolicy = policyOf(id, resource, releases);
  if (resource.Type !== 'AWS::RDS::DBInstance') return { ...resource, DeletionPolicy };
  const Properties = { ...resource.Properties, DeleteAutomatedBackups: DeletionPolicy === 'Delete' };
  return { ...resource, DeletionPolicy, Properties };
}

/** Data that AWS cannot keep is deleted only if a caller said so. */
export function policyOf(
  id: string,
  resource: TemplateResource,
  releases: readonly Release[],
): 'Snapshot' | 'Delete' {
  if (choiceOf(releases, id) === 'delete') return 'Delete';
  if (isKeepable(resource)) return 'Snapshot';
  throw new Refusal(
    `AWS cannot keep the data of ${id}, so nothing was deleted. Repeat the request with data=delete to delete it.`,
  );
}

/** Shows in every event of the update which request it belongs to. */
const tokenPrefix = ({ intent }: RemoveRequest): string =>
  `almanac-data-${createHash('sha256').update(intent).digest('hex').slice(0, 8)}-`;

interface PolicyUpdate {
  template: Template;
  token: string;
}

export async function updatePolicies(
  region: Region,
  { stackId, arn, version, rawVersion }: CloudStack,
  { template, token }: PolicyUpdate,
): Promise<void> {
  const cloudFormation = await region.clients.cloudFormation();
  const placed = await placeTemplate(region, stackId, JSON.stringify(template));
  // CloudFormation does not change a policy alone. The version must differ, so that there is another change.
  const ParameterValue = markedVersion(version, rawVersion);
  // Another Almanac server may have just sent it.
  await ignoreError({ name: /^ValidationError$/, message: /_IN_PROGRESS state/ }, () =>
    cloudFormation.updateStack({
      StackName: arn,
      ...placed,
      Parameters: [{ ParameterKey: versionParameter, ParameterValue }],
      Capabilities: ['CAPABILITY_IAM'],
      ClientRequestToken: token,
      ...roleOf(region),
    }),
  );
  region.operations.accept(stackId, { doing: 'apply', version });
}

const wayOut: Readonly<Record<DataChoice, string>> = {
  keep: 'Take a snapshot by hand, then delete the stack with data=delete.',
  delete: 'Delete the stack with data=keep, which keeps snapshots; then delete the snapshots.',
};

function cannotChange({ status }: CloudStack, { releases }: RemoveRequest, reason = ''): Answer {
  const data = releases.some(({ kind, choice }) => kind !== 'disk' && choice === 'delete')
    ? 'delete'
    : 'keep';
  const cause = reason ? `: ${reason}` : '';
  return refused(
    `The stack is in ${status}, and CloudFormation cannot change whether it ${data}s the data${cause}. ${wayOut[data]}`,
  );
}
