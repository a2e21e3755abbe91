import { documentFormats, number, tableFormats, text } from '../args/flag.ts';
import type { Group } from '../command.ts';

const place = [
  text('id', 'stack ID; without it, the cloud account of a credential', {
    value: 'stack id',
    complete: 'stack',
  }),
  text('vendor', 'vendor of the credential; aws if omitted', { value: 'vendor' }),
  text('cred', 'credential ID; SANDBOX if omitted', { value: 'id', complete: 'credential' }),
];

const load = () => import('../commands/sandbox/faults.ts');

export const sandboxGroup: Group = {
  name: 'sandbox',
  about: 'Make the simulated cloud fail on purpose',
  commands: [
    {
      path: 'sandbox faults',
      about: 'List the faults that still wait or last',
      flags: place,
      positionals: ['id'],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm sandbox faults', 'alm sandbox faults <id>'],
      load: async () => (await load()).listFaults,
    },
    {
      path: 'sandbox inject',
      about: 'Inject a fault into the simulated cloud',
      flags: [
        text('kind', 'kind of fault', {
          value: 'kind',
          required: true,
          choices: ['fail_resource', 'unreachable', 'spot_notice', 'share_resource', 'fail_app'],
        }),
        ...place,
        number('position', 'of fail_resource: the creation that fails, from 1', { min: 1 }),
        text('reason', 'of fail_resource: what the cloud says'),
        number('seconds', 'of unreachable: how long', { min: 1 }),
        text('instance-id', 'of spot_notice: the instance; any spot instance if omitted', {
          value: 'id',
          complete: 'instance',
        }),
        text('mode', 'of fail_app: crash, missing_image, refused_pull, unhealthy, dies or silent', {
          value: 'mode',
        }),
        text('image', 'of fail_app: only containers whose image contains this text', { value: 'text' }),
        text('resource', 'of share_resource: name of the resource', { value: 'name' }),
        text('with-stack', 'of share_resource: ID of the other stack', {
          value: 'stack id',
          complete: 'stack',
        }),
      ],
      positionals: ['kind'],
      only: 'v3',
      formats: documentFormats,
      examples: [
        'alm sandbox inject fail_resource --id <id> --position 2',
        'alm sandbox inject unreachable --seconds 30',
        'alm sandbox inject fail_app --mode crash --image shop:2',
      ],
      load: async () => (await load()).injectFault,
    },
    {
      path: 'sandbox clear',
      about: 'Clear the faults of a stack, or all of them',
      flags: place,
      positionals: ['id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm sandbox clear', 'alm sandbox clear <id>'],
      load: async () => (await load()).clearFaults,
    },
  ],
};
