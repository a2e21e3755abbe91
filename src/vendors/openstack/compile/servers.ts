import type { Layer } from '../../../model/stack-model.ts';
import { parameter } from '../document.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';
import { launchOf, marksOf } from './launch.ts';
import { namesOfServer, serverResources } from './server-resources.ts';

/** The public half comes with `apply`: Almanac keeps the private one, which Heat would show in an attribute. */
export const keyPair = ({ stackId }: Context, { flag, keyPair: hasPair }: Layer): Entry[] =>
  hasPair
    ? [
        [
          names.keyPair(flag),
          {
            type: 'OS::Nova::KeyPair',
            properties: {
              name: names.keyName(stackId, flag),
              public_key: parameter(names.publicKeyParameter(flag)),
            },
          },
        ],
      ]
    : [];

export const serverIndexes = ({ capacity }: Layer): number[] =>
  capacity.kind === 'fixed' ? Array.from({ length: capacity.count }, (_, index) => index) : [];

/** The servers of a layer with a fixed number of servers. */
export const servers = (context: Context, layer: Layer): Entry[] =>
  serverIndexes(layer).flatMap((index) =>
    serverResources({
      dialect: context.dialect,
      launch: launchOf(context, layer, `${names.serverName(context.stackId, layer.flag)}-${index}`),
      ids: namesOfServer(layer.flag, index, marksOf(context, layer)),
      after: [names.routerInterface(layer.flag)],
      keepsScript: true,
    }),
  );
