import {
  architecture,
  balancer,
  balancerOf,
  containerOf,
  groupOf,
  healthOf,
  listener,
  listenerOf,
  type Mistake,
  provision,
} from './draft.ts';
import { names, nodes, shared } from './shared.ts';

export const dockerMistakes: Mistake[] = [
  ...names,
  ...shared,
  ...nodes,
  {
    what: 'too many instances for one machine',
    make: (model) => void Object.assign(groupOf(model), { min: 60, max: 60 }),
    v3: `${provision}/auto_scaling`,
    v2: architecture,
  },
  {
    what: 'a load balancer without listeners',
    make: (model) => void (balancerOf(model).listeners = []),
    v3: `${balancer}/listeners`,
    v2: architecture,
  },
  {
    what: 'an encrypted listener',
    make: (model) => void (listenerOf(model).protocol = 'https'),
    v3: `${listener}/protocol`,
    v2: architecture,
  },
  {
    what: 'encryption to the instances',
    make: (model) => void (listenerOf(model).instanceProtocol = 'https'),
    v3: `${listener}/instance_protocol`,
    v2: architecture,
  },
  {
    what: 'a listener on port 0',
    make: (model) => void (listenerOf(model).port = 0),
    v3: `${listener}/load_balancer_port`,
    v2: architecture,
  },
  {
    what: 'two listeners on one port',
    make: (model) => void balancerOf(model).listeners.splice(1, 9, { ...listenerOf(model) }),
    v3: `${balancer}/listeners/1/load_balancer_port`,
    v2: architecture,
  },
  {
    what: 'an unsupported target of health checks',
    make: (model) => void (healthOf(model).target = 'HTTPS:443/'),
    v3: `${balancer}/health_check/target`,
    v2: architecture,
  },
  {
    what: 'a container without an image',
    make: (model) => void (containerOf(model).image = null),
    v3: 'configurations/0/container/container_image',
    v2: 'configurations/image',
  },
  {
    what: 'a container on the port of ssh',
    make: (model) => void (containerOf(model).ports = [22]),
    v3: 'configurations/0/container/container_ports',
    v2: 'configurations/image',
  },
  {
    what: 'files mounted over a system directory',
    make: (model) => void (containerOf(model).storage = { kind: 'efs', id: 'x', mountPath: '/etc' }),
    v3: 'configurations/0/container/container_storage/mountpath',
    v2: 'configurations/image',
  },
];
