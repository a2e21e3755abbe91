import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../api/served-almanac.ts';
import { eventually } from '../http.ts';
import { AgentWorld } from './world/agent-world.ts';
import { FakeAws } from './world/fake-aws.ts';
import { FakeEngine, freePort } from './world/fake-engine.ts';

const almanac = useServedAlmanac();
let engine: FakeEngine;
let world: AgentWorld;
let aws: FakeAws;
let port: number;
beforeEach(async () => {
  engine = new FakeEngine();
  engine.images.set('web:1', 'web').set('web:2', 'web');
  aws = new FakeAws();
  aws.metadata.set('tags/instance/aws:autoscaling:groupName', 'alm-group');
  aws.metadata.set('autoscaling/target-lifecycle-state', 'InService');
  port = await freePort();
  const url = await aws.start();
  world = await AgentWorld.open(
    almanac,
    engine.asEngine(),
    { container_image: 'web:1', container_ports: [port] },
    { metadata: url, awsEndpoint: url, region: 'eu-central-1', drainSeconds: 30 },
  );
});
afterEach(async () => {
  await world.close();
  await engine.close();
  await aws.close();
});

const hook = () => `alm-group ${world.stackId}-lch-ists-tmnt i-0123456789abcdef0`;
const terminate = () => aws.metadata.set('autoscaling/target-lifecycle-state', 'Terminated');
const completed = () =>
  eventually(
    async () => aws.completed,
    (found) => found.length > 0,
  );
const serve = async () => {
  await world.startAgent();
  await world.ready();
  await world.agentSays('uptodate');
};
const linesWith = (part: string) => world.lines.filter((line) => line.includes(part));

describe('an instance that its group terminates (metadata service and Auto Scaling are stand-ins)', () => {
  it('finishes its open requests, stops its container, and only then completes the hook', async () => {
    await serve();
    aws.waiting.add(hook());
    const open = connect({ port, host: '127.0.0.1' });
    const answer = text(open);
    open.write('GET / HTTP/1.1\r\nx-first: half');
    terminate();
    await eventually(
      () =>
        world.get(port).then(
          () => 'accepted',
          () => 'refused',
        ),
      (result) => result === 'refused',
    );
    expect(aws.completed).toEqual([]);
    expect(engine.running).toHaveLength(1);
    open.write('\r\nhost: web\r\n\r\n');
    expect(await answer).toContain('200 OK');
    expect(await completed()).toEqual([hook()]);
    expect(engine.running).toEqual([]);
    expect(world.readyRevision).toBeUndefined();
  });

  it('deploys nothing any more', async () => {
    await serve();
    aws.waiting.add(hook());
    terminate();
    await completed();
    await world.update({ container_image: 'web:2', container_ports: [port] });
    await world.agentSays('stopped');
    expect(engine.running).toEqual([]);
  });

  it('tries again until the group waits for it', async () => {
    await serve();
    terminate();
    await eventually(
      async () => linesWith('cannot tell the group yet').length,
      (count) => count === 1,
    );
    aws.waiting.add(hook());
    expect(await completed()).toEqual([hook()]);
  });

  it('completes the hook also when the agent was killed after it had stopped the container', async () => {
    await serve();
    terminate();
    await eventually(
      async () => linesWith('cannot tell the group yet').length,
      (count) => count === 1,
    );
    await world.stopAgent();
    aws.waiting.add(hook());
    await world.startAgent();
    expect(await completed()).toEqual([hook()]);
  });

  it('is not disturbed as long as the group keeps it, or when its group cannot be found', async () => {
    await serve();
    aws.metadata.delete('tags/instance/aws:autoscaling:groupName');
    expect(engine.running).toHaveLength(1);
    terminate();
    await eventually(
      async () => linesWith('its name is not in the metadata').length,
      (count) => count === 1,
    );
    expect(aws.completed).toEqual([]);
  });
});
