import { expect, it } from 'vitest';
import { bandsOf } from '../../../src/console/picture/bands.ts';
import { bottomOf, type Node, nodeSize } from '../../../src/console/picture/place.ts';

const at = (y: number): Node => ({
  ...nodeSize,
  x: 0,
  y,
  id: `at ${y}`,
  title: '',
  about: '',
  status: 'complete',
  resource: null,
  kind: 'other',
});

it('every node of a tall picture is in exactly one band, which reaches around the whole of it', () => {
  const nodes = Array.from({ length: 200 }, (_, index) => at(14 + index * 37));
  const bands = bandsOf(nodes);
  expect(bands.length).toBeGreaterThan(5);
  expect(bands.flatMap((band) => band.nodes.map(({ id }) => id))).toEqual(nodes.map(({ id }) => id));
  for (const { top, height, nodes: members } of bands)
    for (const node of members) {
      expect(node.y).toBeGreaterThan(top);
      expect(bottomOf(node)).toBeLessThan(top + height);
    }
});

it('a picture that fits on a screen is one band', () => {
  expect(bandsOf([at(500), at(14), at(200)])).toHaveLength(1);
});
