import { awsChoices } from './aws-choices.ts';
import { awsContainers, awsServers, awsTraffic } from './aws-layers.ts';
import { awsBalancers, awsNetwork, awsServices } from './aws-services.ts';
import { agents, manyServers, networks } from './clouds.ts';
import { type Mistake } from './draft.ts';
import { addresses, names, nodes, references, shared } from './shared.ts';

export const awsMistakes: Mistake[] = [
  ...awsChoices,
  ...names,
  ...shared,
  ...references,
  ...addresses,
  ...nodes,
  ...awsServers,
  ...awsTraffic,
  ...awsContainers,
  ...agents,
  ...manyServers,
  ...awsBalancers,
  ...awsServices,
  ...awsNetwork,
  ...networks,
];
