import { describe, expect, it } from 'vitest';
import { fixedServers, sampleGroup, sampleModel } from '../../sample-model.ts';
import { problemsOf } from '../choose-world.ts';
import { documentOf } from '../compile-world.ts';

describe('limits of the project are rejected before anything is made:', () => {
  it('a network too many, with the limit and what is free', async () => {
    expect(await problemsOf(sampleModel(), { quotas: { networks: { limit: 10, used: 10 } } })).toEqual([
      {
        path: 'vendor',
        message:
          'The project has reached its limit of networks: it may have 10, 0 of them are free, and the stack needs 1 more. Ask for more, or delete a stack.',
      },
    ]);
  });

  it('servers, CPUs, memory and volumes, with those of the smallest size of groups', async () => {
    const group = { ...sampleGroup(3, 0), volume: { type: null, sizeGib: 30 } };
    const quotas = {
      servers: { limit: 10, used: 8 },
      cpus: { limit: 2, used: 0 },
      memoryMib: { limit: 4096, used: 0 },
      volumes: { limit: 2, used: 0 },
      volumeGib: { limit: 89, used: 0 },
      loadBalancers: { limit: 1, used: 1 },
    };
    const problems = await problemsOf(sampleModel({ layers: [group] }), { quotas });
    expect(problems.map(({ message }) => /limit of (.*?):/.exec(message)?.[1])).toEqual([
      'servers',
      'CPUs',
      'memory (MiB)',
      'volumes',
      'disk space (GiB)',
      'load balancers',
    ]);
    const room = Object.fromEntries(Object.keys(quotas).map((name) => [name, { limit: 6144, used: 0 }]));
    expect(await problemsOf(sampleModel({ layers: [group] }), { quotas: room })).toEqual([]);
  });

  it('only what an update needs in addition counts, and nothing of a full project stops one that needs no more', async () => {
    const before = documentOf(sampleModel({ region: 'RegionOne' }));
    const full = { servers: { limit: 1, used: 1 }, networks: { limit: 1, used: 1 } };
    expect(await problemsOf(sampleModel(), { quotas: full }, { before })).toEqual([]);
    expect(await problemsOf(fixedServers(2), { quotas: full }, { before })).toMatchObject([
      { message: expect.stringContaining('limit of servers: it may have 1') },
    ]);
  });
});
