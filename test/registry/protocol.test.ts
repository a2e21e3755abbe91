import { expect, it } from 'vitest';
import { exerciseProtocol } from './world/protocol.ts';
import { RegistryCaller } from './world/registry-caller.ts';
import { master, useRegistry } from './world/registry-world.ts';

const world = useRegistry();

/** Where docker-registry 2.8.2 differs from the specification, with and without tokens. */
const knownDifferences = ['send the second chunk first', 'list referrers', 'delete a tag'];

it('every request of the distribution specification gets the same answer with tokens as without', async () => {
  const open = await world.startOpenRegistry();
  const names = ['root/one', 'root/two'] as const;
  const expected = await exerciseProtocol(new RegistryCaller(open.url), ...names);
  await open.stop();
  expect(await exerciseProtocol(world.caller(master), ...names)).toEqual(expected);
  const different = expected.filter(({ isAllowed }) => !isAllowed).map(({ title }) => title);
  expect(different).toEqual(knownDifferences);
});
