import { Failure } from '../../basics/failure.ts';
import * as versions from '../../contract/v3/versions.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { cancelUpdate } from '../../operations/stacks/change/cancel-update.ts';
import { previewRollBack, rollBack } from '../../operations/stacks/change/roll-back.ts';
import { compareTemplates } from '../../operations/stacks/read/compare-templates.ts';
import { readVersion, readVersions } from '../../operations/stacks/read/read-versions.ts';
import { runIdempotent } from '../../operations/stacks/submit/write-conditions.ts';
import type { Handlers } from '../http/binding.ts';
import { decodeCursor, oneMore, pageOf } from '../shared/page-cursor.ts';
import { presentSubmitted } from '../shared/present-stack.ts';
import { writeConditions } from '../shared/write-conditions.ts';
import { readComparison } from './input/compare.ts';
import { presentDifference, presentPreview, presentVersion } from './present/versions.ts';

type VersionHandlers = Handlers<typeof versions.versionRoutes, Actor>;

export const versionHandlers = (service: Service): VersionHandlers => ({
  ...readHandlers(service),
  ...changeHandlers(service),
});

const readHandlers = (
  service: Service,
): Pick<VersionHandlers, 'compareTemplates' | 'listTemplateVersions' | 'describeTemplate'> => ({
  compareTemplates: async ({ actor, body }) => {
    const compared = await compareTemplates(service, actor, readComparison(body));
    return {
      status: 'success',
      source: compared.source,
      target: compared.target,
      diff: presentDifference(compared.difference),
    };
  },
  listTemplateVersions: async ({ actor, query, setHeader }) => {
    const { stack_id: stackId, limit, cursor } = query;
    if (!stackId) throw noStackId;
    const after = cursor === undefined ? undefined : decodeCursor(cursor).id;
    const found = await readVersions(service, actor, { stackId, after, limit: oneMore(limit) });
    const request = { path: versions.listVersions.path, query, limit, setHeader };
    const page = pageOf(found, request, ({ created_at: createdAt, id }) => ({ createdAt, id }));
    return page.map(presentVersion);
  },
  describeTemplate: async ({ actor, params, query }) => {
    const version = { stackId: params.stack_id, version: query.version_id ?? '' };
    return (await readVersion(service, actor, version)).document;
  },
});

const changeHandlers = (
  service: Service,
): Pick<VersionHandlers, 'rollBackStack' | 'previewRollBack' | 'cancelUpdate'> => ({
  previewRollBack: async ({ actor, params, body, query }) => {
    const { stack_id: stackId } = params;
    const request = { stackId, versionId: body.version_id, restore: query.restore };
    return presentPreview(stackId, await previewRollBack(service, actor, request));
  },
  rollBackStack: async (input) => {
    const { actor, params, body, query } = input;
    const conditions = writeConditions(versions.rollBack, input);
    const { stack_id: stackId } = params;
    const { version_id: versionId, skip_resources: skipResources } = body;
    const submitted = await runIdempotent(service, actor, {
      conditions,
      write: () =>
        rollBack(service, actor, { stackId, versionId, skipResources, restore: query.restore, conditions }),
    });
    return presentSubmitted('UPDATE_IN_PROGRESS', submitted);
  },
  cancelUpdate: async (input) => {
    const { actor, params } = input;
    const conditions = writeConditions(versions.cancelUpdate, input);
    const submitted = await runIdempotent(service, actor, {
      conditions,
      write: () => cancelUpdate(service, actor, { stackId: params.stack_id, conditions }),
    });
    return presentSubmitted('UPDATE_IN_PROGRESS', submitted);
  },
});

const noStackId = new Failure('invalid_request', 'stack_id not specified', {
  description: 'Set the stack whose template versions to list: ?stack_id=…',
  problems: [{ path: 'stack_id', message: 'stack_id not specified' }],
});
