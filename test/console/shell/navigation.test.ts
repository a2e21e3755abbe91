import { expect, it } from 'vitest';
import { sectionsFor } from '../../../src/console/shell/navigation.ts';

const labelsFor = (url: string | null): string[] =>
  sectionsFor({
    user: { name: 'root', master: true, account_id: '5f2b9c01d7e4a', namespace: 'root' },
    registry: { url, service: 'almanac-registry' },
  }).flatMap(({ destinations }) => destinations.map(({ label }) => label));

it('the menu has Images only if the service has a container registry', () => {
  expect(labelsFor('https://registry.example.com')).toContain('Images');
  expect(labelsFor(null)).not.toContain('Images');
  expect(labelsFor(null)).toContain('Sandbox');
});
