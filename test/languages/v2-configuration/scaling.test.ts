import { expect, test } from 'vitest';
import { balanced, compiledFrom, problemsOfNew } from './documents.ts';

test.each([
  [{}, { metric: 'cpu', target: 60 }],
  [{ targetCpu: '40' }, { metric: 'cpu', target: 40 }],
  [{ targetRequests: 500 }, { metric: 'requests', target: 500 }],
  [{ targetCpu: 40, scaling: 'false' }, null],
])('a balanced stack with %j scales by %j', (members, scaling) => {
  const { layers } = compiledFrom({ ...balanced, ...members }).model;
  expect(layers[0]?.capacity).toMatchObject({ scaling });
});

test('a balanced stack cannot hold two targets', () => {
  expect(problemsOfNew({ ...balanced, targetCpu: 40, targetRequests: 500 })).toEqual([
    'configurations/targetRequests: cannot be combined with targetCpu; keep one of them.',
  ]);
});
