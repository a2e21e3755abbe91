import { documentFormats, tableFormats, text, yes } from '../args/flag.ts';
import type { Group } from '../command.ts';

const vendor = text('vendor', 'cloud vendor', { value: 'vendor', default: 'aws' });

export const credsGroup: Group = {
  name: 'creds',
  about: 'Manage cloud credentials',
  commands: [
    {
      path: 'creds list',
      about: 'List the credentials of a cloud, without their secrets',
      flags: [vendor],
      formats: tableFormats,
      examples: ['alm creds list', 'alm creds list --vendor alicloud'],
      load: async () => (await import('../commands/creds/list.ts')).listCredentials,
    },
    {
      path: 'creds add',
      about: 'Add or replace a credential',
      flags: [
        vendor,
        text('key-id', 'access key ID', { value: 'id', required: true }),
        text('secret-key', 'secret key; prompted if omitted', { value: 'secret' }),
        text('account', 'display name of the account', { value: 'name', required: true }),
        text('role-arn', 'AWS, AliCloud and SBCloud: role that CloudFormation or ROS uses to create stacks', {
          value: 'arn',
        }),
        text('auth-url', 'OpenStack and K5 only: address of the cloud; default: the only one of the server', {
          value: 'url',
        }),
      ],
      formats: documentFormats,
      examples: [
        'alm creds add --key-id AKIAIOSFODNN7EXAMPLE --account shop',
        'alm creds add --vendor AliCloud --key-id LTAI5tExampleKeyId --account shop --role-arn almanac-ros',
        'alm creds add --vendor openstack --key-id deploy@Default/shop --account shop --auth-url https://cloud.example:5000/v3',
      ],
      load: async () => (await import('../commands/creds/add.ts')).addCredential,
    },
    {
      path: 'creds delete',
      about: 'Delete a credential that no stack uses',
      flags: [
        vendor,
        text('key-id', 'access key ID', { value: 'id', required: true, complete: 'credential' }),
        yes,
      ],
      positionals: ['key-id'],
      formats: documentFormats,
      examples: ['alm creds delete --key-id AKIAIOSFODNN7EXAMPLE'],
      load: async () => (await import('../commands/creds/delete.ts')).deleteCredential,
    },
  ],
};
