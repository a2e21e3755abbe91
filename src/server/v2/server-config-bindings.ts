import { Failure } from '../../basics/failure.ts';
import * as contract from '../../contract/v2/server-config.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { describeServerConfig, updateServerConfig } from '../../operations/stacks/change/server-config.ts';
import { runIdempotent } from '../../operations/stacks/submit/write-conditions.ts';
import { type Binding, bindFor } from '../http/binding.ts';
import { refuseDeepNesting } from '../http/json-nesting.ts';
import { writeConditions } from '../shared/write-conditions.ts';
import { presentServerConfig } from './present.ts';

const bind = bindFor<Actor>();

/** In the query, in the body, or the same in both. */
function stackIdOf(...places: (string | undefined)[]): string {
  const given = new Set(places.filter((place) => place !== undefined && place !== ''));
  const [stackId] = given;
  if (stackId === undefined) throw new Failure('invalid_request', 'stack_id not specified');
  if (given.size > 1)
    throw new Failure('invalid_request', 'stack_id in the query differs from the one in the body');
  return stackId;
}

/** A form has no lists and objects; there they come as JSON text. */
function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  refuseDeepNesting(value);
  try {
    return JSON.parse(value);
  } catch {
    throw new Failure('invalid_request', 'envvars is not valid JSON');
  }
}

export const serverConfigBindings = (service: Service): Binding<Actor>[] => [
  bind(contract.describeServerConfig, async ({ actor, query }) =>
    presentServerConfig(await describeServerConfig(service, actor, stackIdOf(query.stack_id))),
  ),
  bind(contract.updateServerConfig, async (input) => {
    const { actor, query, body } = input;
    const { stack_id: inBody, ...fields } = body;
    const changes = 'envvars' in fields ? { ...fields, envvars: unpacked(fields.envvars) } : fields;
    const stackId = stackIdOf(query.stack_id, inBody);
    const conditions = writeConditions(contract.updateServerConfig, input);
    await runIdempotent(service, actor, {
      conditions,
      write: () => updateServerConfig(service, actor, { stackId, fields: changes, conditions }),
    });
    return { status: 'success' };
  }),
];
