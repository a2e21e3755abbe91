import type { Compiled } from '../../../languages/language.ts';
import { compileTemplate, readNickname, readPlacement } from '../../../languages/v3-template/compile.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { refuseDocument } from './refuse-document.ts';
import { createStack, findUpdatable, type Submitted, updateStack } from './submit-document.ts';
import type { WriteConditions } from './write-conditions.ts';

export interface TemplateRequest {
  template: unknown;
  nickname?: string | undefined;
  conditions?: WriteConditions | undefined;
}

/** Compiles a template for a new stack, or refuses it with all its problems. */
export function compileNewTemplate(template: unknown) {
  const placement = readPlacement(template);
  const compiled = compileTemplate(template, placement.ok ? placement.value.region : 'unknown');
  if (!placement.ok || !compiled.ok)
    return refuseDocument([placement, compiled].flatMap((outcome) => (outcome.ok ? [] : outcome.problems)));
  return { placement: placement.value, compiled: compiled.value };
}

/** Creates a stack from a v3 template, or refuses it with all its problems. */
export async function applyTemplate(
  service: Service,
  actor: Actor,
  { template, nickname, conditions }: TemplateRequest,
): Promise<Submitted> {
  return createStack(service, actor, {
    language: 'v3',
    ...compileNewTemplate(template),
    nickname: nickname || readNickname(template) || undefined,
    conditions,
  });
}

export interface TemplateUpdate {
  stackId: string;
  template: unknown;
  conditions?: WriteConditions | undefined;
}

/** Updates a stack. The template's vendor section is ignored: a stack never moves. */
export async function updateTemplate(
  service: Service,
  actor: Actor,
  { stackId, template, conditions }: TemplateUpdate,
): Promise<Submitted> {
  const stack = await findUpdatable(service.database.query, actor, { stackId, language: 'v3' });
  const compiled = compileTemplate(template, stack.region);
  if (!compiled.ok) return refuseDocument(compiled.problems);
  return updateStack(service, actor, { stack, compiled: withOwnVendor(compiled.value, stack), conditions });
}

const withOwnVendor = (compiled: Compiled, stack: StackRow): Compiled => {
  const vendor = { [stack.vendor]: { cred: stack.credential_id, region: stack.region } };
  const { document } = compiled;
  return { ...compiled, document: 'vendor' in document ? { ...document, vendor } : { vendor, ...document } };
};
