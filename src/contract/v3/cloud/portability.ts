import { Type } from 'typebox';
import { route } from '../../route.ts';
import { templateBody, templateExample } from '../templates.ts';

const result = Type.Unsafe<'maps' | 'changes' | 'refused' | 'unknown'>(
  Type.String({
    enum: ['maps', 'changes', 'refused', 'unknown'],
    description:
      '`maps`: as the template says. `changes`: in another way, see the notes. `refused`: not as it is written. ' +
      '`unknown`: the cloud says nothing about it before what it refuses is changed, or before it is asked.',
  }),
);

const note = Type.Object({
  kind: Type.Unsafe<'refused' | 'change' | 'default' | 'at_submit'>(
    Type.String({
      enum: ['refused', 'change', 'default', 'at_submit'],
      description:
        '`refused`: why, and what to use instead. `change`: what the cloud takes in another way. `default`: what it takes where ' +
        'the template says nothing. `at_submit`: what only the cloud can decide, when the template is submitted.',
    }),
  ),
  path: Type.String({ description: 'Path in the template, separated by slashes.' }),
  message: Type.String(),
});

const row = Type.Object({
  member: Type.String({
    enum: [
      'region',
      'network',
      'tags',
      'servers',
      'subnet',
      'rules',
      'load_balancer',
      'volume',
      'key_pair',
      'container',
      'database',
      'cache',
    ],
  }),
  name: Type.String({ description: 'Name of the layer. Empty for members of the whole stack.' }),
  path: Type.String({ description: 'Path in the template, separated by slashes.' }),
  result,
  becomes: Type.Array(Type.Object({ resource_type: Type.String(), count: Type.Integer() }), {
    description:
      'Resources of the vendor. Empty if the member is part of other resources, or unknown because it is refused.',
  }),
  notes: Type.Array(note),
});

export const cloudReport = Type.Object(
  {
    vendor: Type.String(),
    region: Type.String({ description: 'Region for which the template was compiled.' }),
    asked: Type.Boolean({ description: 'Whether the cloud was asked, with the credential `cred`.' }),
    result,
    notes: Type.Array(Type.String(), { description: 'Sentences about the cloud as a whole.' }),
    rows: Type.Array(row),
  },
  { $id: 'CloudReport' },
);

export const compareClouds = route({
  name: 'v3CompareClouds',
  asksVendor: true,
  method: 'POST',
  path: '/v3/alm/template/portability',
  access: { action: 'template:describeAlmTemplate' },
  summary: 'Compare clouds for a template',
  description:
    'Compiles the template for other clouds and reports, for each member, what it becomes there, what changes and what is ' +
    'refused. Nothing is changed or saved. The vendor section of the template is optional and decides nothing but the region. ' +
    'Without `cred` no cloud is asked, and no credential is needed.',
  tag: 'Templates',
  query: Type.Object({
    vendor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A vendor, or `all` (default). Case-insensitive.',
      }),
    ),
    region: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'Region to compile for. Default: that of the template if the vendor has it, else the first of the vendor.',
      }),
    ),
    cred: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Id of a saved credential of the vendor, with which the cloud is asked.',
      }),
    ),
  }),
  bodyKind: 'document',
  body: templateBody,
  replies: {
    200: {
      description: 'One report for each vendor.',
      schema: Type.Object({ status: Type.String(), clouds: Type.Array(cloudReport) }),
    },
  },
  examples: {
    body: templateExample,
    reply: {
      status: 'success',
      clouds: [
        {
          vendor: 'openstack',
          region: 'RegionOne',
          asked: false,
          result: 'changes',
          notes: [
            'The cloud was not asked. What it offers, and its quotas, are known when the template is submitted.',
          ],
          rows: [
            {
              member: 'servers',
              name: 'web01',
              path: 'configurations/0',
              result: 'changes',
              becomes: [{ resource_type: 'OS::Nova::Server', count: 1 }],
              notes: [
                {
                  kind: 'change',
                  path: 'configurations/0/provision/instance_type',
                  message: 't2.micro → the smallest flavor that fits (1 CPU, 1 GiB)',
                },
              ],
            },
          ],
        },
      ],
    },
  },
});

export const portabilityRoutes = [compareClouds] as const;
