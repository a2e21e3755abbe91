import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lanes } from '../../../src/console/picture/lanes.ts';
import { groupAbove, layered } from '../../../src/console/picture/layered.ts';
import { type Box, fit, type Picture } from '../../../src/console/picture/place.ts';
import { type Resource, toneOf } from '../../../src/console/picture/resource.ts';
import { resource } from './some-resources.ts';

const touch = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const overlaps = ({ nodes }: Picture): string[] =>
  nodes.flatMap((a, index) =>
    nodes.slice(index + 1).flatMap((b) => (touch(a, b) ? [`${a.id} and ${b.id}`] : [])),
  );

const isInside = ({ width, height }: Picture, box: Box): boolean =>
  box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;

const kinds = ['network', 'balancer', 'server', 'group', 'database', 'cache', 'container', 'other'] as const;

/** Resources that depend on earlier ones, as in every document of a vendor. */
const someResources = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      layer: fc.constantFrom('Front', 'Back', 'web-0', null),
      needs: fc.array(fc.nat(), { maxLength: 4 }),
    }),
    { maxLength: 60 },
  )
  .map((parts): Resource[] =>
    parts.map(({ kind, layer, needs }, index) =>
      resource(`R${index}`, {
        kind,
        layer,
        depends_on: index === 0 ? [] : [...new Set(needs.map((need) => `R${need % index}`))],
      }),
    ),
  );

describe('nodes never overlap and stay inside the picture', () => {
  it('with all resources', () => {
    fc.assert(
      fc.property(someResources, (resources) => {
        const picture = layered(resources);
        expect(overlaps(picture)).toEqual([]);
        expect(picture.nodes.filter((node) => !isInside(picture, node))).toEqual([]);
        expect(picture.nodes).toHaveLength(resources.length);
      }),
    );
  });

  it('in lanes, on wide and narrow screens', () => {
    fc.assert(
      fc.property(someResources, fc.boolean(), (resources, narrow) => {
        const picture = lanes({ resources, servers: [], about: {}, narrow });
        expect(overlaps(picture)).toEqual([]);
        expect([...picture.nodes, ...picture.frames].filter((box) => !isInside(picture, box))).toEqual([]);
      }),
    );
  });
});

describe('the picture of all resources', () => {
  it('draws a resource to the right of everything it depends on', () => {
    fc.assert(
      fc.property(someResources, (resources) => {
        const { nodes, edges } = layered(resources);
        const x = new Map(nodes.map((node) => [node.id, node.x]));
        expect(edges.filter(({ from, to }) => (x.get(from) ?? 0) >= (x.get(to) ?? 0))).toEqual([]);
      }),
    );
  });

  it('groups by type and layer above the limit, with the status that needs a person most', () => {
    const many = Array.from({ length: groupAbove + 1 }, (_, index) =>
      resource(`R${index}`, { type: 'AWS::EC2::Subnet', status: index === 7 ? 'failed' : 'complete' }),
    );
    const { nodes } = layered(many);
    expect(nodes.map(({ title, status }) => [title, status])).toEqual([
      [`Subnet × ${groupAbove + 1}`, 'failed'],
    ]);
  });
});

describe('the picture of the layers', () => {
  const shop = [
    resource('Group', { kind: 'group', layer: 'Shop', depends_on: ['Config'] }),
    resource('Config', { depends_on: ['Balancer'] }),
    resource('Balancer', { kind: 'balancer', layer: 'Front' }),
    resource('DatabaseShop', { kind: 'database', depends_on: ['Guard'] }),
    resource('Guard', { kind: 'network' }),
    resource('ReplicaShop', { kind: 'database', depends_on: ['DatabaseShop'], status: 'creating' }),
  ];
  const servers = [
    { id: 'i-1', layer: 'Shop', about: 't2.small · 10.0.0.4', isPublic: true, application: null },
  ];

  it('leads from the Internet over balancers and servers to the data', () => {
    const { edges } = lanes({ resources: shop, servers, about: {}, narrow: false });
    expect(edges.map(({ from, to }) => `${from} > ${to}`).toSorted()).toEqual([
      'Balancer > server i-1',
      'internet > Balancer',
      'server i-1 > DatabaseShop',
    ]);
  });

  it('shows a server that is ready as its application is', () => {
    const application = { state: 'failing', reason: 'exited with code 3', serving_revision: 0 } as const;
    const failing = servers.map((server) => ({ ...server, application }));
    const { nodes } = lanes({ resources: shop, servers: failing, about: {}, narrow: false });
    const node = nodes.find(({ id }) => id === 'server i-1');
    expect(node).toMatchObject({ status: 'complete', application });
    expect(node && toneOf(node)).toBe('bad');
    expect(toneOf({ status: 'creating', application })).toBe('work');
    expect(toneOf({ status: 'complete' })).toBe('good');
    // The container before keeps serving.
    expect(toneOf({ status: 'complete', application: { ...application, serving_revision: 1 } })).toBe('warn');
  });

  it('shows a database with its replicas as one node, which works while one of them does', () => {
    const { nodes } = lanes({ resources: shop, servers, about: {}, narrow: false });
    expect(nodes.filter(({ kind }) => kind === 'database')).toMatchObject([
      { title: 'DatabaseShop', about: 'Thing · 1 replica', status: 'creating' },
    ]);
  });
});

it('a long name keeps its beginning and its end', () => {
  expect(fit('AutoScalingGroupOfTheShop', 11)).toBe('AutoS…eShop');
});
