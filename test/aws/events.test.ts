import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQS } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloudStackName } from '../../src/vendors/aws/names.ts';
import { AlmanacProcess, knownLogin } from '../e2e/almanac-process.ts';
import { putOffNextLook, readNextLook } from '../e2e/behind-the-servers.ts';
import { eventually } from '../http.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { Cloud } from './world/cloud.ts';
import { FaultProxy } from './world/fault-proxy.ts';
import { overlayFaults } from './world/overlay-faults.ts';
import { putStackEvent } from './world/raw-calls.ts';
import { describeOnOverlay, type Simulator, startOverlay } from './world/simulator.ts';

const [here, there] = ['ap-northeast-1', 'us-east-1'];
const queueIn = (region: string) => `https://sqs.${region}.amazonaws.com/123456789012/almanac-events`;
const templateFile = join(import.meta.dirname, '..', '..', 'docs', 'vendors', 'aws-events.yaml');
/** The simulator has no queue policies, and does not ask for them. */
const template = readFileSync(templateFile, 'utf8').replace(/ {2}QueuePolicy:[^]*(?=Outputs:)/, '');
const pollSeconds = 2;
/** The first stack, whose creation never ends. */
const held = 'held';

const stackIn = (region: string, nickname = region) => ({
  version: '2017-03-03',
  label: 'one server',
  description: '',
  nickname,
  vendor: { aws: { cred: 'AKIAFIRST', region } },
  configurations: [
    {
      role: 'web',
      flag: 'web0',
      provision: { image: '${computed}', instance_type: 't3.micro', keypair: false, instance_count: 1 },
    },
  ],
});

/** EventBridge and SQS are moto's; the events are ours, after the AWS documentation. No simulator sends them. */
describeOnOverlay('events of CloudFormation in a queue (on moto with the overlay)', () => {
  let simulator: Simulator;
  let proxy: FaultProxy;
  let place: TestPlace;
  let server: AlmanacProcess;
  let cloud: Cloud;
  let sqs: SQS;
  const stacks: Record<string, string> = {};

  beforeAll(async () => {
    simulator = await startOverlay({ delaySeconds: 0 });
    proxy = await FaultProxy.start(simulator.url);
    place = await makeTestPlace();
    cloud = new Cloud(simulator.url, here);
    const credentials = { accessKeyId: 'AKIAMOTO', secretAccessKey: 'x' };
    sqs = new SQS({ region: here, credentials, endpoint: simulator.url });
    await cloud.cloudFormation.createStack({
      StackName: 'almanac-events',
      TemplateBody: template,
    });
    await cloud.waitForStacks();
    server = await AlmanacProcess.serve(place, {
      ...knownLogin,
      AWS_ENDPOINT_URL: proxy.url,
      ALM_AWS_POLL_SECONDS: String(pollSeconds),
      ALM_BASE_URL: 'https://almanac.example',
      // There is no queue in the second region.
      ALM_AWS_EVENT_QUEUES: `${queueIn(here)}, ${queueIn(there)}`,
    });
    const key = { AWSAccessKeyId: 'AKIAFIRST', AWSSecretKey: 'secret', AWSAccountName: 'first' };
    await server.call('POST', '/v3/credentials/aws', { json: { credentials: key } });
    await overlayFaults(simulator.url).inject([
      { on: 'resource', phase: 'create', logical: '', sleep: 3600, times: 1 },
    ]);
    stacks[held] = await server.applyTemplate(stackIn(here, held));
    await eventually(
      () => cloud.stacks(),
      (found) => found.some(({ StackStatus }) => StackStatus === 'CREATE_IN_PROGRESS'),
    );
    for (const region of [here, there]) stacks[region] = await server.applyTemplate(stackIn(region));
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    await proxy.close();
    await simulator.stop();
    await place.remove();
  });

  const callsOf = (operation: string, region: string) =>
    proxy.calls.filter(
      (call) => call.key === 'AKIAFIRST' && call.operation === operation && call.region === region,
    );
  const until = (isTrue: () => boolean) =>
    eventually(
      async () => isTrue(),
      (is) => is,
    );
  const messagesLeft = async (): Promise<number> => {
    const { Attributes = {} } = await sqs.getQueueAttributes({
      QueueUrl: queueIn(here),
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    });
    return Object.values(Attributes).reduce((sum, count) => sum + Number(count), 0);
  };
  const arnOf = async (stackId: string): Promise<string> => {
    const { Stacks = [] } = await cloud.cloudFormation.describeStacks({ StackName: cloudStackName(stackId) });
    return Stacks[0]?.StackId ?? '';
  };

  const lastCall = (operation: string, region: string): number =>
    Math.max(0, ...callsOf(operation, region).map(({ at }) => at));

  it('a changing stack is polled less often after an event has shown that the rule works', async () => {
    const stackId = stacks[held] ?? '';
    await until(() => callsOf('ReceiveMessage', here).length > 0);
    await putStackEvent(cloud, { arn: await arnOf(stackId), status: 'CREATE_IN_PROGRESS' });
    // However late a look is, the next one is scheduled from its end. Without events it would come after one interval.
    await eventually(
      () => readNextLook(place, stackId),
      (at) => at - lastCall('DescribeStacks', here) >= 11 * pollSeconds * 1000,
    );
  });

  it('an event has a stack looked at long before the next poll', async () => {
    const stackId = stacks[here] ?? '';
    await server.waitFor(stackId, 'CREATE_COMPLETE');
    const arn = await arnOf(stackId);
    await cloud.cloudFormation.deleteStack({ StackName: arn });
    await eventually(
      async () => (await cloud.cloudFormation.describeStacks({ StackName: arn })).Stacks?.[0]?.StackStatus,
      (status) => status === 'DELETE_COMPLETE',
    );
    // Only an event can now bring the look forward.
    await eventually(
      () => putOffNextLook(place, stackId, Date.now() + 86_400_000),
      (isPutOff) => isPutOff,
    );
    await putStackEvent(cloud, { arn, status: 'DELETE_COMPLETE' });
    await eventually(
      async () => (await server.call('GET', `/v3/alm/stack/${stackId}`)).body,
      ({ stack_status_reason: reason }) => /deleted outside Almanac/.test(String(reason)),
    );
  });

  it('junk and events about stacks that Almanac does not have are deleted, and nothing else happens', async () => {
    const QueueUrl = queueIn(here);
    for (const MessageBody of ['junk', '{"detail": {"stack-id": []}}', '[['.repeat(9000)])
      await sqs.sendMessage({ QueueUrl, MessageBody });
    const foreign = `arn:aws:cloudformation:${here}:123456789012:stack/alm-mo-unknown/1`;
    await putStackEvent(cloud, { arn: foreign, status: 'CREATE_COMPLETE' });
    await eventually(messagesLeft, (left) => left === 0);
    expect(server.stdout).not.toContain(`"queue":"${QueueUrl}"`);
  });

  it('the rule forwards no events about stacks of others', async () => {
    const deleted = callsOf('DeleteMessage', here).length;
    const arn = `arn:aws:cloudformation:${here}:123456789012:stack/other/1`;
    await putStackEvent(cloud, { arn, status: 'CREATE_COMPLETE' });
    expect(await messagesLeft()).toBe(0);
    expect(callsOf('DeleteMessage', here)).toHaveLength(deleted);
  });

  it('without the queue, stacks are polled as before; receiving is tried again, and the reason is logged once', async () => {
    await server.waitFor(stacks[there] ?? '', 'CREATE_COMPLETE');
    await until(() => callsOf('ReceiveMessage', there).length >= 3);
    const lines = server.stdout.split('\n').filter((line) => line.includes(queueIn(there)));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/polling stacks instead/);
  });
});
