import { Type } from 'typebox';
import { route } from '../../route.ts';
import { affectedStores, updateDataQuery } from '../schemas/data.ts';
import { stackParams, writeHeaders } from '../schemas/stack.ts';
import { accepted, acceptedExample, plannedChange } from '../templates.ts';

const layerImage = Type.Object(
  {
    flag: Type.String({ description: 'Name of the layer.' }),
    image: Type.String({ description: 'The image that the vendor chose for the current version.' }),
    newest: Type.String({ description: 'The image that the vendor would choose now.' }),
    effect: Type.Unsafe<'none' | 'rolling' | 'replace'>(
      Type.String({
        enum: ['none', 'rolling', 'replace'],
        description:
          '`rolling`: the group replaces its instances one after the other. `replace`: all servers are replaced.',
      }),
    ),
  },
  { $id: 'LayerImage' },
);

export const previewImages = route({
  name: 'v3PreviewImages',
  asksVendor: true,
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/images',
  access: { action: 'template:describeAlmTemplate' },
  summary: 'Preview newer machine images',
  description:
    'Returns the image of each layer that leaves the choice to the vendor, the newest one, and the changes that a refresh would ' +
    'make, without changing anything. Supported on AWS only.',
  tag: 'Stacks',
  params: stackParams,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The images and the planned changes.',
      schema: Type.Object({
        status: Type.String(),
        stack_id: Type.String(),
        images: Type.Array(layerImage),
        changes: Type.Array(plannedChange),
        warnings: Type.Array(Type.String({ description: 'Warning to review before the refresh.' })),
        data: affectedStores,
      }),
    },
  },
});

export const refreshImages = route({
  name: 'v3RefreshImages',
  asksVendor: true,
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/images',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Refresh the machine images',
  description:
    'Creates a new version with the same template and the newest machine images and certificates, and updates the stack to it. ' +
    'Groups replace their instances one after the other. Fails with 409 if all images are the newest, and if servers outside ' +
    'groups would be replaced, unless the request confirms it with `servers=replace`. Supported on AWS only.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object(updateDataQuery),
  headers: writeHeaders,
  bodyKind: 'none',
  replies: { 202: { description: 'Stack update started.', schema: accepted } },
  examples: { reply: acceptedExample('UPDATE_IN_PROGRESS') },
});

export const imageRoutes = [previewImages, refreshImages] as const;
