import { expect, it } from 'vitest';
import { configurationOf } from '../../../src/vendors/docker/plan/haproxy-config.ts';
import { sampleGroup, sampleModel } from '../sample-model.ts';
import { compiled } from './documents.ts';

const balancer = (target: string) => {
  const layer = sampleGroup(1, 0);
  const { loadBalancer } = layer;
  const healthCheck = loadBalancer && { ...loadBalancer.healthCheck, target };
  const changed = loadBalancer && healthCheck && { ...loadBalancer, healthCheck };
  const [found] = compiled(sampleModel({ layers: [{ ...layer, loadBalancer: changed }] })).balancers;
  if (!found) throw new Error('Expected one balancer.');
  return found;
};
const servers = [
  { name: 'b', address: '10.0.0.3' },
  { name: 'a', address: '10.0.0.2' },
];
const lines = (text: string, part: RegExp) => text.split('\n').filter((line) => part.test(line));

it('a haproxy configuration does not depend on the order of the servers', () => {
  const text = configurationOf(balancer('TCP:80'), servers);
  expect(text).toBe(configurationOf(balancer('TCP:80'), servers.toReversed()));
  expect(lines(text, /^ {2}server/)).toEqual([
    '  server a 10.0.0.2:80 check port 80 inter 10s fastinter 1s downinter 1s rise 2 fall 10',
    '  server b 10.0.0.3:80 check port 80 inter 10s fastinter 1s downinter 1s rise 2 fall 10',
  ]);
});

it('a haproxy health check requests the configured path, or only connects', () => {
  expect(lines(configurationOf(balancer('HTTP:8080/ok'), servers), /check (send|expect)|8080/)).toEqual([
    '  http-check send meth GET uri /ok ver HTTP/1.1 hdr Host almanac hdr Connection close',
    '  http-check expect status 200-399',
    ...servers
      .toReversed()
      .map(
        ({ name, address }) =>
          `  server ${name} ${address}:80 check port 8080 inter 10s fastinter 1s downinter 1s rise 2 fall 10`,
      ),
  ]);
  expect(lines(configurationOf(balancer('TCP:80'), servers), /httpchk|http-check/)).toEqual([]);
});

it('a haproxy configuration without servers is complete', () => {
  expect(lines(configurationOf(balancer('TCP:80'), []), /^listen|bind/)).toEqual([
    'listen port-80',
    '  bind :80',
  ]);
});
