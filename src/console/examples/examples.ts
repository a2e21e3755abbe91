import balanced from '../../../examples/balanced-with-database.yaml?raw';
import first from '../../../examples/first-stack.json?raw';
import layers from '../../../examples/two-layers-and-bastion.json?raw';

export interface Example {
  id: string;
  title: string;
  about: string;
  format: 'json' | 'yaml';
  text: string;
  /** What it has, in the order of the picture. */
  parts: readonly string[];
}

/** The templates in the folder `examples`, which run on the sandbox: nothing is created at a cloud. */
export const examples: readonly Example[] = [
  {
    id: 'first-stack',
    title: 'One web server',
    about: 'A server in a subnet of its own, with a key pair.',
    format: 'json',
    text: first,
    parts: ['1 server'],
  },
  {
    id: 'balanced-with-database',
    title: 'A shop',
    about: 'Servers that scale behind a load balancer, a database and a cache.',
    format: 'yaml',
    text: balanced,
    parts: ['load balancer', '2–4 servers', 'database', 'cache'],
  },
  {
    id: 'two-layers-and-bastion',
    title: 'Two layers',
    about: 'Two layers behind one load balancer, with a bastion for maintenance.',
    format: 'json',
    text: layers,
    parts: ['load balancer', 'front servers', 'back server', 'bastion'],
  },
];
