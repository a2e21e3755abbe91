import type { StackEvent } from '../../../src/cli/follow/stack-calls.ts';

/** An event with defaults for the members that a test does not need. */
export const stackEvent = (members: Partial<StackEvent>): StackEvent => ({
  event_id: 1,
  time: '2030-01-01T00:00:00+00:00',
  kind: 'resource',
  resource: '',
  resource_type: '',
  status: '',
  message: '',
  version_id: 'one',
  ...members,
});
