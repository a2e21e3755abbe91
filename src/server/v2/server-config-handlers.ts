import { Failure } from '../../basics/failure.ts';
import * as contract from '../../contract/v2/server-config.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { describeServerConfig, updateServerConfig } from '../../operations/stacks/change/server-config.ts';
import { runIdempotent } from '../../operations/stacks/submit/write-conditions.ts';
import type { Handlers } from '../http/binding.ts';
import { refuseExcessiveJson } from '../http/json-limits.ts';
import { writeConditions } from '../shared/write-conditions.ts';
import { presentServerConfig } from './present.ts';

/** The stack id may be in the query, in the body, or in both with the same value. */
function stackIdOf(...sources: (string | undefined)[]): string {
  const ids = new Set(sources.filter((source) => source !== undefined && source !== ''));
  const [stackId] = ids;
  if (stackId === undefined) throw new Failure('invalid_request', 'stack_id not specified');
  if (ids.size > 1)
    throw new Failure('invalid_request', 'stack_id in the query differs from the one in the body');
  return stackId;
}

/** Forms cannot carry arrays and objects, so clients send them as JSON strings. */
function parseVariables(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  refuseExcessiveJson(value);
  try {
    return JSON.parse(value);
  } catch {
    throw new Failure('invalid_request', 'envvars is not valid JSON');
  }
}

export const serverConfigHandlers = (
  service: Service,
): Handlers<typeof contract.serverConfigRoutes, Actor> => ({
  describeServerConfig: async ({ actor, query }) =>
    presentServerConfig(await describeServerConfig(service, actor, stackIdOf(query.stack_id))),
  updateServerConfig: async (input) => {
    const { actor, query, body } = input;
    const { stack_id: inBody, ...fields } = body;
    const changes = 'envvars' in fields ? { ...fields, envvars: parseVariables(fields.envvars) } : fields;
    const stackId = stackIdOf(query.stack_id, inBody);
    const conditions = writeConditions(contract.updateServerConfig, input);
    await runIdempotent(service, actor, {
      conditions,
      write: () => updateServerConfig(service, actor, { stackId, fields: changes, conditions }),
    });
    return { status: 'success' };
  },
});
