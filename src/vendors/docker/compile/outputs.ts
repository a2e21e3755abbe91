import type { StackModel } from '../../../model/stack-model.ts';
import { stackOutputs } from '../../shared/outputs.ts';
import type { DocumentOutput } from '../document.ts';
import * as names from '../names.ts';
import { slotsOf } from './servers.ts';

type Value = Pick<DocumentOutput, 'of' | 'value'>;

const address = (...of: string[]): Value => ({ of, value: 'address' });
const endpoint = (...of: string[]) => ({ address: address(...of), port: { of, value: 'port' } as const });

export const outputsOf = (model: StackModel): DocumentOutput[] =>
  stackOutputs<Value>(model, {
    loadBalancerAddress: (flag) => address(names.balancerName(flag)),
    serverNames: (layer) => slotsOf(model, layer).map(({ name }) => name),
    serverAddress: address,
    database: (name) => endpoint(names.databaseName(name, 0)),
    replicaAddress: (database, replica) => address(names.databaseName(database, replica)),
    redisPrimary: ({ name }) => endpoint(names.cacheName(name, 0)),
    redisReaders: ({ name, nodes }) =>
      endpoint(...Array.from({ length: nodes - 1 }, (_, index) => names.cacheName(name, index + 1))),
    // The first node only: clients that spread keys over nodes in different ways would read stale values.
    memcached: ({ name }) => endpoint(names.cacheName(name, 0)),
  }).map(({ key, description, value: { of, value } }) => ({ key, description, of, value }));
