import { describe, expect, it } from 'vitest';
import { parseEvent } from '../../../../src/vendors/aws/events/parse-event.ts';

const arnOf = (name: string) =>
  `arn:aws:cloudformation:eu-west-1:123456789012:stack/${name}/5d6e2f30-0000-11ee-be56-0242ac120002`;

/** The form that the AWS documentation shows. */
const eventOf = (more: object = {}, detail: object = {}) => ({
  version: '0',
  id: 'c5d7a1b0-0000-4000-8000-000000000000',
  'detail-type': 'CloudFormation Stack Status Change',
  source: 'aws.cloudformation',
  account: '123456789012',
  region: 'eu-west-1',
  resources: [arnOf('alm-mo-0a-b-tk')],
  detail: {
    'stack-id': arnOf('alm-mo-0a-b-tk'),
    'status-details': { status: 'CREATE_COMPLETE', 'status-reason': '' },
    'client-request-token': 'token',
    ...detail,
  },
  ...more,
});

describe('an event of CloudFormation', () => {
  it('names the Almanac stack, its region and its AWS account', () => {
    expect(parseEvent(JSON.stringify(eventOf()))).toEqual({
      region: 'eu-west-1',
      account: '123456789012',
      stackId: 'mo-0a-b-tk',
    });
  });

  it.each(['other', 'alm-', 'alm-other', 'mo-0a-b-tk'])(
    'names no Almanac stack if the CloudFormation stack is called %s',
    (name) => {
      const event = eventOf({}, { 'stack-id': arnOf(name) });
      expect(parseEvent(JSON.stringify(event))).toMatchObject({ stackId: undefined });
    },
  );

  it.each([
    ['empty text', ''],
    ['text that is not JSON', '{"detail-type":'],
    ['null', 'null'],
    ['a list', JSON.stringify([eventOf()])],
    ['another type', JSON.stringify(eventOf({ 'detail-type': 'CloudFormation Resource Status Change' }))],
    ['another source', JSON.stringify(eventOf({ source: 'other' }))],
    ['no detail', JSON.stringify(eventOf({ detail: null }))],
    ['an ARN that is a number', JSON.stringify(eventOf({}, { 'stack-id': 7 }))],
    ['an ARN of another service', JSON.stringify(eventOf({}, { 'stack-id': 'arn:aws:s3:::alm-mo-0a' }))],
    ['an ARN with a line break', JSON.stringify(eventOf({}, { 'stack-id': arnOf("alm-mo-0a'\n--") }))],
    ['deep nesting', '['.repeat(60_000)],
    ['too much text', JSON.stringify(eventOf({ padding: 'x'.repeat(70_000) }))],
  ])('is not %s', (_, text) => {
    expect(parseEvent(text)).toBeUndefined();
  });
});
