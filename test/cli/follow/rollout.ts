import type { Rollout } from '../../../src/cli/follow/stack-calls.ts';

type Instance = Rollout['instances'][number];

/** With defaults for the members that a test does not need. */
export const instanceOf = (members: Partial<Instance>): Instance => ({
  instance_id: 'i-1',
  address: '10.0.0.1',
  revision: 2,
  serving_revision: 1,
  state: 'starting',
  since: null,
  reason: '',
  last_lines: '',
  image: 'shop:1',
  digest: '',
  reported_at: null,
  ...members,
});

/** With defaults for the members that a test does not need. */
export const rolloutOf = (members: Partial<Rollout>): Rollout => ({
  stack_id: 'mo-1',
  flag: 'Web',
  revision: 2,
  version_id: 'two',
  image: 'shop:2',
  cause: '',
  state: 'rolling',
  began_at: '2030-01-01T00:00:00.000Z',
  deadline_at: null,
  ended_at: null,
  wanted: 1,
  serving: 0,
  failing: 0,
  reason: '',
  last_lines: '',
  instances: [],
  ...members,
});
