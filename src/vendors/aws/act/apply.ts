import type { Secret } from '../../../basics/secret.ts';
import { type Answer, accepted, refused, type StackOnVendor, Unreachable } from '../../vendor.ts';
import type { AwsDocument } from '../document.ts';
import { act, ask, sentenceOf } from '../errors.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { standingOf } from '../observe/statuses.ts';
import { findCloudStack, noteAccepted, type Region } from '../region.ts';
import { putAgentToken } from './agent-token.ts';
import { requestToken, roleOf, stackRequest, versionToWrite } from './requests.ts';

export interface Wanted {
  document: AwsDocument;
  version: string;
  agentToken: Secret;
}

/** Takes one step towards the version; where the state of the stack allows none yet, it waits to be asked again. */
export async function apply(region: Region, stack: StackOnVendor, wanted: Wanted): Promise<Answer> {
  return act(async () => {
    const { value: standing } = await findCloudStack(region, stack.id, region.pollMs / 5);
    const move = standing ? standingOf(standing.status).move : 'create';
    if (move === 'wait') return accepted;
    if (standing && move === 'recreate') return deleteFailed(region, standing);
    if (standing && move === 'undo-first') return finishUndoing(region, standing);
    // The agents of new servers look for it as soon as they are up, so it comes first.
    if (hasAgents(wanted.document)) await putAgentToken(region, stack.id, wanted.agentToken);
    return standing ? update(region, stack, wanted, standing) : create(region, stack, wanted);
  });
}

/** Only servers with an agent have a profile: it is what lets them read the token. */
const hasAgents = ({ template }: AwsDocument): boolean =>
  Object.values(template.Resources).some(({ Type }) => Type === 'AWS::IAM::InstanceProfile');

async function create(region: Region, stack: StackOnVendor, { document, version }: Wanted): Promise<Answer> {
  const cloudFormation = await region.clients.cloudFormation();
  const request = await stackRequest(region, stack, document, version);
  const token = requestToken('create', version, undefined);
  const creating = () =>
    cloudFormation.createStack({ ...request, OnFailure: 'ROLLBACK', ClientRequestToken: token });
  // Its name holds our own id: a stack of that name is ours, and a request that was cut off made it.
  await tolerating(/already exists/i, creating);
  noteAccepted(region, stack.id, { doing: 'apply', version });
  return accepted;
}

const nothingToDo = /No updates are to be performed/;
const underWay = /_IN_PROGRESS state/;

async function update(
  region: Region,
  stack: StackOnVendor,
  { document, version }: Wanted,
  from: CloudStack,
): Promise<Answer> {
  const cloudFormation = await region.clients.cloudFormation();
  const request = await stackRequest(region, stack, document, versionToWrite(version, from));
  const token = requestToken('update', version, from);
  const updating = () => cloudFormation.updateStack({ ...request, ClientRequestToken: token });
  const refusal = await tolerating(new RegExp(`${nothingToDo.source}|${underWay.source}`), updating);
  if (nothingToDo.test(refusal)) return standsAlready(region, stack, version, refusal);
  noteAccepted(region, stack.id, { doing: 'apply', version });
  return accepted;
}

/** True where what was read before is older than the version that stands; otherwise asking again would never end. */
async function standsAlready(
  region: Region,
  { id }: StackOnVendor,
  version: string,
  refusal: string,
): Promise<Answer> {
  region.stacks.forget();
  const { value: now } = await findCloudStack(region, id);
  const stands = now && now.version === version && standingOf(now.status).kind !== 'broken';
  return stands ? accepted : refused(refusal);
}

/** A creation that failed cannot be updated, only deleted; the next step makes it anew. Nothing of it ever worked. */
async function deleteFailed(region: Region, failed: CloudStack): Promise<Answer> {
  const { stackId, arn, version, status, outputs } = failed;
  // A stack that worked has outputs. Whatever somebody deleted of it by hand, an update does not delete the rest.
  if (status === 'DELETE_FAILED' && outputs.size > 0)
    return refused('It was deleted in part outside Almanac, and what is left cannot be updated; delete it.');
  const cloudFormation = await region.clients.cloudFormation();
  await ask(() => cloudFormation.deleteStack({ StackName: arn, ...roleOf(region) }));
  noteAccepted(region, stackId, { doing: 'remove', version });
  return accepted;
}

/** An update that could not even be undone: undoing it is tried again before anything else. */
async function finishUndoing(region: Region, { stackId, arn, version }: CloudStack): Promise<Answer> {
  const cloudFormation = await region.clients.cloudFormation();
  await tolerating(underWay, () =>
    cloudFormation.continueUpdateRollback({ StackName: arn, ...roleOf(region) }),
  );
  noteAccepted(region, stackId, { doing: 'apply', version });
  return accepted;
}

/** Lets refusals pass that mean that it is done, or being done, already; gives their words, or none. */
async function tolerating(fine: RegExp, call: () => Promise<unknown>): Promise<string> {
  try {
    await ask(call);
    return '';
  } catch (cause) {
    const words = sentenceOf(cause);
    if (cause instanceof Unreachable || !fine.test(words)) throw cause;
    return words;
  }
}
