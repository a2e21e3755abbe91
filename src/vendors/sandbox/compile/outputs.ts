import type { StackModel } from '../../../model/stack-model.ts';
import { stackOutputs } from '../../shared/outputs.ts';
import type { DocumentOutput } from '../document.ts';
import * as names from '../names.ts';
import { instanceNames } from './servers.ts';

type Value = Pick<DocumentOutput, 'of' | 'value'>;

const address = (...of: string[]): Value => ({ of, value: 'address' });
const endpoint = (...of: string[]) => ({ address: address(...of), port: { of, value: 'port' } as const });

export const outputsOf = (model: StackModel): DocumentOutput[] =>
  stackOutputs<Value>(model, {
    loadBalancerAddress: (flag) => address(names.loadBalancer(flag)),
    serverNames: instanceNames,
    serverAddress: (server) => ({ of: [server], value: 'publicAddress' }),
    database: (name) => endpoint(names.database(name)),
    replicaAddress: (database, replica) => address(names.databaseReplica(database, replica)),
    redisPrimary: ({ name }) => endpoint(names.cacheNode(name, 0)),
    redisReaders: ({ name, nodes }) =>
      endpoint(...Array.from({ length: nodes - 1 }, (_, index) => names.cacheNode(name, index + 1))),
    memcached: ({ name }) => endpoint(names.cacheCluster(name)),
  }).map(({ key, description, value: { of, value } }) => ({ key, description, of, value }));
