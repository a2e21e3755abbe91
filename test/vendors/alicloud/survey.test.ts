import { expect, it } from 'vitest';
import { CallLimiter } from '../../../src/vendors/alicloud/call-limiter.ts';
import { versionParameter } from '../../../src/vendors/alicloud/document.ts';
import { connect } from '../../../src/vendors/alicloud/driver.ts';
import { regionWith, row, stack } from './ros-world.ts';

const stacks = Array.from({ length: 200 }, (_, n) => ({ ...stack, id: `mo-${n}` }));
const rows = stacks.map(({ id }) => ({
  ...row('CREATE_COMPLETE'),
  StackId: `ros-${id}`,
  StackName: `alm-${id}`,
}));

it('the first survey of a server reads each stack within the limits of ROS, and calls none of them unreachable', async () => {
  const limited = regionWith({
    ListStacks: ({ PageNumber, PageSize }) => {
      const from = (Number(PageNumber) - 1) * Number(PageSize);
      return { Stacks: rows.slice(from, from + Number(PageSize)), TotalCount: rows.length };
    },
    GetStack: () => ({ Parameters: [{ ParameterKey: versionParameter, ParameterValue: 'v1' }] }),
  });
  const { clock, clients } = limited;
  const limiter = new CallLimiter(clock);
  const region = {
    ...limited,
    clients: {
      ...clients,
      call: async <T>(request: Parameters<typeof clients.call>[0]): Promise<T> => {
        await limiter.take(request.action);
        return clients.call<T>(request);
      },
    },
  };
  const { look } = connect(() => region).survey ?? expect.fail('no survey');
  let seen: ReadonlyMap<string, string> | undefined;
  const looking = look(stacks, new AbortController().signal).then((found) => {
    seen = found;
  });
  for (let seconds = 0; seconds < 400 && !seen; seconds += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_000);
  }
  await looking;
  expect(seen?.size).toBe(stacks.length);
  expect([...(seen?.values() ?? [])]).not.toContain('unreachable');
  expect(limited.sent.filter((action) => action === 'GetStack')).toHaveLength(stacks.length);
});
