import { afterEach, beforeEach, expect, it } from 'vitest';
import { succeed } from '../../src/basics/problem.ts';
import type { SandboxDocument } from '../../src/vendors/sandbox/document.ts';
import type { VendorDocument } from '../../src/vendors/vendor.ts';
import { changeSandbox } from '../stand-in-vendor.ts';
import { oneServer, World } from '../world.ts';

let world: World;
/** What each choice was made from: the document of the version before. */
let before: (VendorDocument | null)[];
/** What the vendor answers to the next applies; undefined: it accepts them. */
let refusal: string | undefined;

beforeEach(async () => {
  world = await World.open();
  before = [];
  refusal = undefined;
  changeSandbox(
    world.service,
    {
      choose: async (_access, _model, last) => {
        before.push(last);
        return succeed({});
      },
    },
    (driver) => ({
      apply: async (stack, request) =>
        refusal === undefined ? driver.apply(stack, request) : { accepted: false, reason: refusal },
    }),
  );
});
afterEach(() => world.close());

const serversOf = (document: VendorDocument | null): number | null =>
  document && (document as SandboxDocument).resources.filter(({ type }) => type === 'Instance').length;

it('choices are made from the version that exists, not from one that the vendor refused', async () => {
  const stackId = await world.create(oneServer(1));
  await world.settle();
  refusal = 'There is no such size.';
  await world.update(stackId, oneServer(9));
  await world.settle();
  expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_FAILED' });
  refusal = undefined;
  await world.update(stackId, oneServer(2));
  expect(before.map(serversOf)).toEqual([null, 1, 1]);
});

it('choices of a stack whose creation the vendor refused are made as for a new one', async () => {
  refusal = 'There is no such size.';
  const stackId = await world.create(oneServer(9));
  await world.settle();
  expect(await world.describe(stackId)).toMatchObject({ status: 'CREATE_FAILED' });
  await world.update(stackId, oneServer(1));
  expect(before.map(serversOf)).toEqual([null, null]);
});

it('choices are made from a version that the vendor began, even if it refused a later one', async () => {
  const stackId = await world.create(oneServer(1));
  await world.settle();
  await world.update(stackId, oneServer(2));
  await world.worker('one').runDue();
  refusal = 'There is no such size.';
  await world.update(stackId, oneServer(9));
  await world.settle();
  await world.update(stackId, oneServer(3));
  expect(before.map(serversOf)).toEqual([null, 1, 2, 2]);
});
