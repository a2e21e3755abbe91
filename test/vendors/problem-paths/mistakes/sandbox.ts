import { all, inLayer, type Mistake } from './draft.ts';
import { addresses, cidr, names, nodes, references, shared } from './shared.ts';

export const sandboxMistakes: Mistake[] = [
  ...names,
  ...shared,
  ...references,
  ...addresses,
  ...nodes,
  {
    what: 'an invalid region',
    make: (model) => void (model.region = '!'),
    v3: 'vendor/aws/region',
    v2: 'region',
  },
  { what: 'an invalid network', make: (model) => void (model.networkCidr = 'x'), v3: all, v2: all },
  inLayer('an invalid subnet', ({ subnet }) => void (subnet.cidr = 'x'), cidr),
];
