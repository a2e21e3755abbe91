import { expect, it } from 'vitest';
import { parseSettings } from '../../../src/agent/settings.ts';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { Secret } from '../../../src/basics/secret.ts';
import { openEngine } from '../../../src/docker-engine/engine.ts';
import { Loads } from '../../../src/vendors/docker/loads.ts';
import { agentSettings, instanceRecipe } from '../../../src/vendors/docker/plan/container-specs.ts';
import type { Machine } from '../../../src/vendors/docker/tools.ts';
import { balanced } from './documents.ts';

const clock = new VirtualClock();

const machine = (serverSocket: string | null): Machine => ({
  engine: openEngine({ socketPath: '/nowhere', clock }),
  socketPath: '/run/some.sock',
  seenReady: new Set(),
  notReadySince: new Map(),
  loads: new Loads(),
  tools: {
    clock,
    engineAt: (socketPath) => openEngine({ socketPath, clock }),
    socketPath: '/run/some.sock',
    imagePrefix: 'almanac/',
    agent: async () => null,
    serverSocket,
    serverUrl: () => 'https://almanac.example',
    publishAddress: '127.0.0.1',
    keepDays: 30,
  },
});

const desired = {
  stack: { id: 'mo-1-a-tk', accountId: '1', region: 'local' },
  document: balanced(1),
  version: 'v1',
  agentToken: new Secret('token'),
  databasePassword: undefined,
  releases: [],
};

const settingsOn = (serverSocket: string | null, hostUsr = false) =>
  agentSettings(machine(serverSocket), desired, { flag: 'Web0', containerId: '0123456789abcdef', hostUsr });

it('the agent parses its settings file, which only root can read', () => {
  const { content, mode } = settingsOn('/data/agents/server.sock', true);
  expect(parseSettings(String(content))).toMatchObject({
    server: 'unix:/run/almanac/server/server.sock',
    stackId: 'mo-1-a-tk',
    flag: 'Web0',
    token: 'token',
    instanceId: '0123456789ab',
    engine: '/run/almanac/engine.sock',
    network: 'alm-mo-1-a-tk',
    metadata: 'file:/run/almanac/spot-notice',
    readyFile: '/run/almanac/ready',
  });
  expect(mode).toBe(0o600);
  expect(parseSettings(String(settingsOn(null).content)).server).toBe('https://almanac.example');
});

it('an instance mounts the directory of the server socket, because a restart creates a new socket', () => {
  const { document } = desired;
  const [fleet] = document.fleets;
  const [slot] = fleet?.slots ?? [];
  if (!fleet || !slot) throw new Error('Expected a fleet with one slot.');
  const { mounts } = instanceRecipe(machine('/data/agents/server.sock'), desired, {
    fleet,
    slot,
    publicKey: null,
    hasAgent: true,
  });
  expect(mounts).toEqual([
    { kind: 'bind', source: '/run/some.sock', target: '/run/almanac/engine.sock' },
    { kind: 'bind', source: '/data/agents', target: '/run/almanac/server', readOnly: true },
  ]);
});
