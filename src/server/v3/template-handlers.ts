import type { portabilityRoutes } from '../../contract/v3/cloud/portability.ts';
import * as templates from '../../contract/v3/templates.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { cloudComparer } from '../../operations/stacks/portability/compare-clouds.ts';
import { previewNewStack, previewUpdate } from '../../operations/stacks/read/preview-template.ts';
import { applyTemplate, updateTemplate } from '../../operations/stacks/submit/apply-template.ts';

import { runIdempotent } from '../../operations/stacks/submit/write-conditions.ts';
import type { Handlers } from '../http/binding.ts';

import { presentSubmitted } from '../shared/present-stack.ts';
import { writeConditions } from '../shared/write-conditions.ts';
import { presentClouds } from './present/portability.ts';
import { presentPreview } from './present/versions.ts';

export const templateHandlers = (service: Service): Handlers<typeof templates.templateRoutes, Actor> => ({
  applyTemplate: async (input) => {
    const { actor, query, body } = input;
    const { nickname, another } = query;
    const conditions = writeConditions(templates.applyTemplate, input);
    const submitted = await runIdempotent(service, actor, {
      conditions,
      write: () => applyTemplate(service, actor, { template: body, nickname, another, conditions }),
    });
    return presentSubmitted('CREATE_IN_PROGRESS', submitted);
  },
  previewTemplate: async ({ actor, query, body }) => {
    const { stack_id: stackId = '' } = query;
    const preview =
      stackId === ''
        ? await previewNewStack(service, actor, body)
        : await previewUpdate(service, actor, { stackId, template: body });
    return presentPreview(stackId, preview);
  },
  updateTemplate: async (input) => {
    const { actor, params, body } = input;
    const conditions = writeConditions(templates.updateTemplate, input);
    const submitted = await runIdempotent(service, actor, {
      conditions,
      write: () => updateTemplate(service, actor, { stackId: params.stack_id, template: body, conditions }),
    });
    return presentSubmitted('UPDATE_IN_PROGRESS', submitted);
  },
});

export const portabilityHandlers = (service: Service): Handlers<typeof portabilityRoutes, Actor> => {
  const compare = cloudComparer(service);
  return {
    compareClouds: async ({ actor, query, body, hasLeft }) => {
      const { vendor = 'all', region, cred: credentialId } = query;
      return presentClouds(await compare(actor, { template: body, vendor, region, credentialId, hasLeft }));
    },
  };
};
