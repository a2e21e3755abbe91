import * as templates from '../../contract/v3/templates.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { previewNewStack, previewUpdate } from '../../operations/stacks/read/preview-template.ts';
import { applyTemplate, updateTemplate } from '../../operations/stacks/submit/apply-template.ts';

import { runIdempotent } from '../../operations/stacks/submit/write-conditions.ts';
import type { Handlers } from '../http/binding.ts';

import { presentSubmitted } from '../shared/present-stack.ts';
import { writeConditions } from '../shared/write-conditions.ts';
import { readTemplateBody } from './input/template-body.ts';
import { presentPreview } from './present/versions.ts';

export const templateHandlers = (service: Service): Handlers<typeof templates.templateRoutes, Actor> => ({
  applyTemplate: async (input) => {
    const { actor, query, body } = input;
    const conditions = writeConditions(templates.applyTemplate, input);
    const submitted = await runIdempotent(service, actor, {
      conditions,
      write: async () => {
        const template = readTemplateBody(body);
        return applyTemplate(service, actor, { template, nickname: query.nickname, conditions });
      },
    });
    return presentSubmitted('CREATE_IN_PROGRESS', submitted);
  },
  previewTemplate: async ({ actor, query, body }) => {
    const { stack_id: stackId = '' } = query;
    const template = readTemplateBody(body);
    const preview =
      stackId === ''
        ? await previewNewStack(service, actor, template)
        : await previewUpdate(service, actor, { stackId, template });
    return presentPreview(stackId, preview);
  },
  updateTemplate: async (input) => {
    const { actor, params, body } = input;
    const conditions = writeConditions(templates.updateTemplate, input);
    const submitted = await runIdempotent(service, actor, {
      conditions,
      write: async () => {
        const template = readTemplateBody(body);
        return updateTemplate(service, actor, { stackId: params.stack_id, template, conditions });
      },
    });
    return presentSubmitted('UPDATE_IN_PROGRESS', submitted);
  },
});
