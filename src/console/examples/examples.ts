import balanced from '../../../examples/balanced-with-database.yaml?raw';
import first from '../../../examples/first-stack.json?raw';
import layers from '../../../examples/two-layers-and-bastion.json?raw';
import { secondsOf } from './durations.ts';

export interface Example {
  id: string;
  title: string;
  about: string;
  format: 'json' | 'yaml';
  text: string;
  /** What it has, in the order of the picture. */
  parts: readonly string[];
  /** The picture, from left to right. */
  lanes: readonly (readonly string[])[];
  /** Until it is complete. */
  seconds: number;
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
    lanes: [['server']],
    seconds: secondsOf['first-stack'],
  },
  {
    id: 'balanced-with-database',
    title: 'A shop',
    about: 'Servers that scale behind a load balancer, a database and a cache.',
    format: 'yaml',
    text: balanced,
    parts: ['load balancer', '2–4 servers', 'database', 'cache'],
    lanes: [['balancer'], ['server', 'server'], ['database', 'cache']],
    seconds: secondsOf['balanced-with-database'],
  },
  {
    id: 'two-layers-and-bastion',
    title: 'Two layers',
    about: 'Two layers behind one load balancer, with a bastion for maintenance.',
    format: 'json',
    text: layers,
    parts: ['load balancer', 'front servers', 'back server', 'bastion'],
    lanes: [['balancer', 'bastion'], ['front', 'front'], ['back']],
    seconds: secondsOf['two-layers-and-bastion'],
  },
];
