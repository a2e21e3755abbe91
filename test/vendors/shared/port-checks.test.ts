import { expect, it } from 'vitest';
import { portProblems } from '../../../src/vendors/shared/port-checks.ts';
import { sampleContainer } from '../aws/compile/world.ts';
import { sampleGroup, sampleLayer, sampleModel } from '../sample-model.ts';

const paths = (...args: Parameters<typeof sampleModel>) =>
  portProblems(sampleModel(...args)).map(({ path }) => path);
const behind = (ports: number[]) => ({ ...sampleGroup(1, 0), container: sampleContainer({ ports }) });

it('a load balancer that forwards to a port the container does not publish is reported at both ends', () => {
  expect(portProblems(sampleModel({ layers: [behind([8080, 9090])] }))).toEqual([
    {
      path: 'layers/0/loadBalancer/listeners/0/instancePort',
      message:
        'The load balancer forwards to port 80, but the container publishes only 8080, 9090. Forward to one of these, or publish 80.',
    },
    {
      path: 'layers/0/container/ports',
      message:
        'Does not contain port 80, to which the load balancer forwards. Add it, or change the load balancer.',
    },
  ]);
});

it('a load balancer of another layer is compared with the container of the servers it forwards to', () => {
  const { loadBalancer } = sampleGroup(1, 0);
  const front = sampleLayer({ flag: 'Front', loadBalancer, capacity: { kind: 'shared', groupOf: 'Web0' } });
  expect(paths({ layers: [front, { ...behind([8080]), loadBalancer: null }] })).toEqual([
    'layers/0/loadBalancer/listeners/0/instancePort',
    'layers/1/container/ports',
  ]);
});

it('matching ports, a container without ports and a layer without a container do not contradict each other', () => {
  expect(paths({ layers: [behind([443, 80])] })).toEqual([]);
  expect(paths({ layers: [behind([])] })).toEqual([]);
  expect(paths({ layers: [sampleGroup(1, 0)] })).toEqual([]);
});
