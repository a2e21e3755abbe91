import { isObject } from '../../../basics/is-object.ts';
import { isStackId } from '../../../model/names.ts';

/** Where a CloudFormation stack is, from its ARN. */
export interface StackPlace {
  region: string;
  account: string;
  /** The id of the Almanac stack; undefined: not one of ours. */
  stackId: string | undefined;
}

const stackArn = /^arn:[a-z-]+:cloudformation:([a-z0-9-]+):(\d{12}):stack\/([A-Za-z0-9-]{1,128})\//;

export function placeOf(arn: string): StackPlace | undefined {
  const [, region, account, name = ''] = stackArn.exec(arn) ?? [];
  if (!region || !account) return undefined;
  const id = name.startsWith('alm-') ? name.slice('alm-'.length) : '';
  return { region, account, stackId: isStackId(id) ? id : undefined };
}

/** Longer than any event; SQS allows much more. */
const maxLength = 65_536;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The stack that an event of EventBridge is about; undefined: the text is something else. Nothing else in the event is
 * used: what happened is read from CloudFormation.
 */
export function parseEvent(text: string): StackPlace | undefined {
  const event = text.length <= maxLength ? parseJson(text) : undefined;
  if (!isObject(event) || event['detail-type'] !== 'CloudFormation Stack Status Change') return undefined;
  if (event['source'] !== 'aws.cloudformation' || !isObject(event['detail'])) return undefined;
  const arn = event['detail']['stack-id'];
  return typeof arn === 'string' ? placeOf(arn) : undefined;
}
