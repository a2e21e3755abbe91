import { expect } from 'vitest';
import type { AlmanacProcess } from '../../e2e/almanac-process.ts';
import { readSandboxWorld } from '../../e2e/behind-the-servers.ts';
import { eventually, type Json } from '../../http.ts';
import type { TestPlace } from '../../open-database.ts';
import type { AcknowledgedStack, Ledger } from './ledger.ts';

const sorted = (found: Iterable<string>): string[] => [...found].toSorted();

const describe = async (server: AlmanacProcess, { stackId }: AcknowledgedStack): Promise<Json> =>
  (await server.call('GET', `/v3/alm/stack/${stackId}`)).body;

/** Every stack reaches what its last accepted request asks for. */
export async function expectDesiredStates(server: AlmanacProcess, { stacks }: Ledger): Promise<void> {
  for (const stack of stacks) {
    const isFinal = ({ stack_status: status }: Json) => stack.finalStatuses.some((final) => final === status);
    const found = await eventually(
      () => describe(server, stack),
      (read) => isFinal(read) && (stack.isDeleted || read.version_id === stack.desired),
    );
    if (!stack.isDeleted) expect(found.instances, stack.nickname).toHaveLength(stack.servers);
  }
}

/** The list has exactly the living stacks, each once. */
export async function expectListed(server: AlmanacProcess, { living }: Ledger): Promise<void> {
  const list = (await server.call<Json[]>('GET', '/v3/alm/stack')).body;
  const found = list.map(({ stack_id: id, nickname }) => `${String(id)} ${String(nickname)}`);
  expect(sorted(found)).toEqual(sorted(living.map(({ stackId, nickname }) => `${stackId} ${nickname}`)));
}

/** The simulated cloud holds exactly the resources of the living stacks. */
export async function expectOnlyLivingResources(place: TestPlace, { living }: Ledger): Promise<void> {
  const world = await readSandboxWorld(place);
  expect(sorted(world.keys())).toEqual(sorted(living.map(({ stackId }) => stackId)));
  for (const { stackId, servers } of living) {
    const names = world.get(stackId) ?? [];
    expect(names).toEqual([...new Set(names)]);
    expect(names.filter((name) => /instance/i.test(name))).toHaveLength(servers);
  }
}

/** The versions are the acknowledged ones, in their order, without another between them. */
export async function expectGaplessVersions(server: AlmanacProcess, { living }: Ledger): Promise<void> {
  for (const { stackId, versions, nickname } of living) {
    const path = `/v3/alm/template?stack_id=${stackId}`;
    const found = (await server.call<Json[]>('GET', path)).body.map(({ version_id: id }) => id).toReversed();
    expect(found, nickname).toEqual(versions.map(({ versionId }) => versionId));
  }
}

/** Every acknowledged change is in the audit log, and its chain is unbroken. */
export async function expectAudited(server: AlmanacProcess, { requestIds }: Ledger): Promise<void> {
  const { body } = await server.call('GET', '/v3/audit/check');
  expect(body).toMatchObject({ is_intact: true });
  const { text } = await server.call('GET', '/v3/audit/export');
  const recorded = new Set(
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { request_id: string }).request_id),
  );
  expect(requestIds.filter((id) => !recorded.has(id))).toEqual([]);
}
