import * as images from '../../../contract/v3/cloud/images.ts';
import type { Actor } from '../../../operations/access/access.ts';
import type { Service } from '../../../operations/service.ts';
import { previewRefresh, refreshImages } from '../../../operations/stacks/change/refresh-images.ts';
import { runIdempotent } from '../../../operations/stacks/submit/write-conditions.ts';
import type { Handlers } from '../../http/binding.ts';
import { presentSubmitted } from '../../shared/present-stack.ts';
import { writeConditions } from '../../shared/write-conditions.ts';
import { presentAffected, presentChange } from '../present/versions.ts';

export const imageHandlers = (service: Service): Handlers<typeof images.imageRoutes, Actor> => ({
  previewImages: async ({ actor, params }) => {
    const preview = await previewRefresh(service, actor, params.stack_id);
    return {
      status: 'success',
      stack_id: params.stack_id,
      images: [...preview.images],
      changes: preview.changes.map(presentChange),
      warnings: preview.warnings,
      data: preview.data.map(presentAffected),
    };
  },
  refreshImages: async (input) => {
    const { actor, params } = input;
    const conditions = writeConditions(images.refreshImages, input);
    const request = { stackId: params.stack_id, conditions };
    const submitted = await runIdempotent(service, actor, {
      conditions,
      write: () => refreshImages(service, actor, request),
    });
    return presentSubmitted('UPDATE_IN_PROGRESS', submitted);
  },
});
