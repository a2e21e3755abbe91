import { createHash } from 'node:crypto';
import type { UpdateStackInput } from '@aws-sdk/client-cloudformation';
import type { StackOnVendor } from '../../vendor.ts';
import { type AwsDocument, versionParameter } from '../document.ts';
import { cloudStackName, stackTag } from '../names.ts';
import { type CloudStack, differentlyWritten } from '../observe/list-stacks.ts';
import type { Region } from '../region.ts';
import { placeTemplate } from './template-bucket.ts';

/** What creating, updating and forecasting have in common, so that a forecast is of exactly what would be sent. */
export type StackRequest = Pick<
  UpdateStackInput,
  'StackName' | 'TemplateBody' | 'TemplateURL' | 'Parameters' | 'Capabilities' | 'Tags' | 'RoleARN'
>;

/** The template without a needless byte: up to 51,200 of them go along with the request. */
export const templateText = ({ template }: AwsDocument): string => JSON.stringify(template);

export async function stackRequest(
  region: Region,
  { id }: StackOnVendor,
  document: AwsDocument,
  version: string,
): Promise<StackRequest> {
  return {
    StackName: cloudStackName(id),
    ...(await placeTemplate(region, id, templateText(document))),
    Parameters: [{ ParameterKey: versionParameter, ParameterValue: version }],
    Capabilities: ['CAPABILITY_IAM'],
    Tags: [{ Key: stackTag, Value: id }],
    ...roleOf(region),
  };
}

export const roleOf = ({ role }: Region): { RoleARN?: string } => (role ? { RoleARN: role } : {});

/**
 * The same for every try of one step, another for any later one: it tells the version and the state the step was begun
 * from. CloudFormation takes a request whose token it knows for the same one, and writes the token on every event.
 */
export function requestToken(
  verb: 'create' | 'update',
  version: string,
  from: CloudStack | undefined,
): string {
  const state = from ? `${from.arn} ${from.status} ${from.updatedAt}` : 'nothing';
  const hash = createHash('sha256').update(state).digest('hex').slice(0, 8);
  return `almanac-${verb}-${version}-${hash}`;
}

/** Going back to the version that stands, after an update that was undone, must be an update as well. */
export const versionToWrite = (version: string, from: CloudStack): string =>
  from.status === 'UPDATE_ROLLBACK_COMPLETE' ? differentlyWritten(version, from.writtenVersion) : version;
