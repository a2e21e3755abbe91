import type { Secret } from '../../../basics/secret.ts';
import type { Release } from '../../data.ts';
import { type Answer, accepted, refused, type StackOnVendor, Unreachable } from '../../vendor.ts';
import { firstStepOf } from '../../version-steps.ts';
import type { AwsDocument } from '../document.ts';
import { callAws, errorMessage, isDenied, toAnswer } from '../errors.ts';
import { readHistory } from '../observe/events.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { findSmallVolumes } from '../observe/small-volumes.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { liveReleases } from '../observe/view.ts';
import { findCloudStack, type Region } from '../region.ts';
import { putAgentToken } from './agent-token.ts';
import { growDisks } from './grow-disks.ts';
import { findSurvivingData, readTemplate } from './live-stack.ts';
import { findMissingServers, withoutServers } from './missing-servers.ts';
import { prepareDropped, withLivingVolumes, withReplacePolicies } from './prepare-dropped.ts';
import { requestDeletion, requestToken, roleOf, stackRequest, versionToWrite } from './requests.ts';

export interface AwsApplyRequest {
  document: AwsDocument;
  version: string;
  agentToken: Secret;
  skipResources?: readonly string[];
  releases?: readonly Release[];
}

/** Takes one step towards the version. If the state of the stack allows none yet, does nothing until called again. */
export async function apply(region: Region, stack: StackOnVendor, request: AwsApplyRequest): Promise<Answer> {
  return toAnswer(async () => {
    const { value: existing } = await findCloudStack(region, stack.id, region.pollMs / 5);
    const move = existing ? phaseOf(existing.status).move : 'create';
    if (move === 'wait') return accepted;
    if (existing && move === 'recreate') return deleteFailed(region, existing);
    if (existing && move === 'finish-rollback') return finishRollback(region, existing, request);
    const small =
      existing && isCurrent(existing, request) ? await findSmallVolumes(region, existing, 0) : none;
    if (small.size > 0) return growDisks(region, small);
    // Agents of new servers read the token as soon as they start, so it must exist first.
    if (hasAgents(request.document)) await putAgentToken(region, stack.id, request.agentToken);
    return existing ? update(region, existing, request) : create(region, stack, request);
  });
}

const none: ReadonlyMap<string, number> = new Map();
const isCurrent = ({ status, version }: CloudStack, wanted: AwsApplyRequest): boolean =>
  phaseOf(status).kind === 'settled' && version === wanted.version;

/** Only servers with an agent have an instance profile: it lets them read the token. */
const hasAgents = ({ template }: AwsDocument): boolean =>
  Object.values(template.Resources).some(({ Type }) => Type === 'AWS::IAM::InstanceProfile');

async function create(
  region: Region,
  { id }: StackOnVendor,
  { document, version }: AwsApplyRequest,
): Promise<Answer> {
  const cloudFormation = await region.clients.cloudFormation();
  const request = await stackRequest(region, { stackId: id, document, version });
  const token = requestToken('create', version, undefined);
  // The name contains the stack id, so an existing stack of that name was created by an earlier, interrupted request.
  await callAllowing(/already exists/i, () =>
    cloudFormation.createStack({ ...request, OnFailure: 'ROLLBACK', ClientRequestToken: token }),
  );
  region.operations.accept(id, { doing: 'apply', version });
  return accepted;
}

const noChanges = /No updates are to be performed/;
const inProgress = /_IN_PROGRESS state/;

/**
 * CloudFormation does not create a server again that was terminated outside it, unless the server leaves the template: the
 * first update removes what is missing, under a version of its own, so that the reconciler takes the second step.
 */
async function update(region: Region, existing: CloudStack, request: AwsApplyRequest): Promise<Answer> {
  const { version } = request;
  const releases = liveReleases(existing, request.releases ?? []);
  const living = await withLivingVolumes(region, existing, request.document.template);
  const template = withReplacePolicies(living, releases);
  const document = { ...request.document, template };
  if (await prepareDropped(region, existing, { template, version, releases })) return accepted;
  const { missing, unchecked } = await checkServers(region, existing, document);
  if (missing.length === 0)
    return withNote(await updateTo(region, existing, { ...request, document, written: version }), unchecked);
  const first = {
    ...request,
    document: { ...document, template: withoutServers(template, missing) },
    written: firstStepOf(version),
  };
  const note = `Servers that were terminated outside Almanac are created again: ${missing.join(', ')}.`;
  return withNote(await updateTo(region, existing, first), note);
}

const withNote = (answer: Answer, note: string): Answer =>
  answer.accepted && note ? { ...answer, note } : answer;

/** A key without the permission to read the servers can still update the stack: then nothing is known to be missing. */
async function checkServers(
  region: Region,
  existing: CloudStack,
  { template }: AwsDocument,
): Promise<{ missing: string[]; unchecked: string }> {
  try {
    return { missing: await findMissingServers(region, existing, template), unchecked: '' };
  } catch (cause) {
    if (!isDenied(cause)) throw cause;
    const unchecked = `Not checked whether servers were terminated outside Almanac: ${errorMessage(cause)}`;
    return { missing: [], unchecked };
  }
}

async function updateTo(
  region: Region,
  existing: CloudStack,
  { document, version, written }: AwsApplyRequest & { written: string },
): Promise<Answer> {
  const { stackId } = existing;
  const cloudFormation = await region.clients.cloudFormation();
  const request = await stackRequest(region, {
    stackId,
    document,
    version: versionToWrite(written, existing),
  });
  const token = requestToken('update', version, existing);
  const refusal = await callAllowing(new RegExp(`${noChanges.source}|${inProgress.source}`), () =>
    cloudFormation.updateStack({ ...request, ClientRequestToken: token }),
  );
  if (noChanges.test(refusal))
    return (await isAtVersion(region, stackId, version)) ? accepted : refused(refusal);
  region.operations.accept(stackId, { doing: 'apply', version: written });
  return accepted;
}

/** Whether the stack already has the version, and the earlier read was out of date. Without this check, retries would never end. */
async function isAtVersion(region: Region, stackId: string, version: string): Promise<boolean> {
  region.stacks.forget();
  const { value: stack } = await findCloudStack(region, stackId);
  return stack !== undefined && stack.version === version && phaseOf(stack.status).kind !== 'broken';
}

/**
 * A failed creation or deletion cannot be updated, only deleted; the next step creates the stack again. What a person deleted
 * only in part is not deleted further, and neither is data: that deletion was not requested here.
 */
async function deleteFailed(region: Region, failed: CloudStack): Promise<Answer> {
  const { stackId, version, status } = failed;
  const refusal = status === 'DELETE_FAILED' ? await whyNotDelete(region, failed) : '';
  if (refusal) return refused(refusal);
  await requestDeletion(region, failed);
  region.operations.accept(stackId, { doing: 'remove', version });
  return accepted;
}

/** Empty: an update may delete what a failed deletion left. */
async function whyNotDelete(region: Region, failed: CloudStack): Promise<string> {
  const data = await findSurvivingData(region, failed, await readTemplate(region, failed));
  if (data.length > 0)
    return (
      `The deletion of the stack failed, and AWS can only go on deleting, which would delete the data of ${data.join(' and ')}. ` +
      'First delete the stack with data=keep or data=delete; after that, an update creates it again.'
    );
  // A stack that worked has outputs.
  if (failed.outputs.size === 0) return '';
  const { ownDeletion, reason } = await readHistory(region, failed);
  return ownDeletion
    ? ''
    : `The stack was deleted in part outside Almanac, and AWS cannot update the rest. Not deleted: ${reason || failed.reason}. ` +
        'Delete the stack with Almanac; after that, an update creates it again.';
}

/** Retries the rollback of an update that could not be rolled back. Nothing else is possible before. */
async function finishRollback(
  region: Region,
  { stackId, arn, version }: CloudStack,
  { skipResources = [] }: AwsApplyRequest,
): Promise<Answer> {
  const cloudFormation = await region.clients.cloudFormation();
  const skipped = skipResources.length > 0 ? { ResourcesToSkip: [...skipResources] } : {};
  await callAllowing(inProgress, () =>
    cloudFormation.continueUpdateRollback({ StackName: arn, ...skipped, ...roleOf(region) }),
  );
  region.operations.accept(stackId, { doing: 'apply', version });
  return accepted;
}

/** Ignores a rejection that means the change is done or in progress. Returns its message, or an empty string. */
async function callAllowing(expected: RegExp, call: () => Promise<unknown>): Promise<string> {
  try {
    await callAws(call);
    return '';
  } catch (cause) {
    const message = errorMessage(cause);
    if (cause instanceof Unreachable || !expected.test(message)) throw cause;
    return message;
  }
}
