import { route } from '../route.ts';
import * as images from '../v3/registry/images.ts';

/** The same as on v3. */
export const registryImageRoutes = [
  route({ ...images.listRepositories, name: 'v2ListRepositories', path: '/v2/alm/registry' }),
  route({ ...images.listImageTags, name: 'v2ListImageTags', path: '/v2/alm/registry/imagetags' }),
  route({
    ...images.setDescription,
    name: 'v2SetRepositoryDescription',
    path: '/v2/alm/registry/description',
  }),
  route({
    ...images.setVisibility,
    name: 'v2SetRepositoryVisibility',
    path: '/v2/alm/registry/visibility',
  }),
  route({
    ...images.previewDeletion,
    name: 'v2PreviewImageDeletion',
    path: '/v2/alm/registry/image/deletion',
  }),
  route({ ...images.deleteImage, name: 'v2DeleteImage', path: '/v2/alm/registry/image' }),
] as const;
