import type { Compiled } from '../../../languages/language.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import type { Actor } from '../../access/access.ts';
import type { NewTemplate } from '../../documents/jobs.ts';
import type { TemplateText } from '../../documents/read-template.ts';
import type { Service } from '../../service.ts';
import { createStack, findUpdatable, type Submitted, updateStack } from './submit-document.ts';
import type { WriteConditions } from './write-conditions.ts';

export interface TemplateRequest {
  template: TemplateText;
  /** In place of the name in the template. */
  nickname?: string | undefined;
  /** Whether another stack may have the same name. Undefined: not if the template has `name`. */
  another?: boolean | undefined;
  conditions?: WriteConditions | undefined;
}

/** Compiles a template for a new stack, or refuses it with all its problems. */
export const compileNewTemplate = (
  { documents }: Service,
  { accountId: caller }: Actor,
  template: TemplateText,
): Promise<NewTemplate> =>
  documents.run('newTemplate', { input: template, size: template.text.length, caller });

/** Compiles a template for an existing stack, or refuses it with all its problems. */
export const compileChangedTemplate = (
  { documents }: Service,
  { account_id: caller, region }: StackRow,
  template: TemplateText,
): Promise<Compiled> =>
  documents.run('changedTemplate', {
    input: { body: template, region },
    size: template.text.length,
    caller,
  });

/** Creates a stack from a v3 template, or refuses it with all its problems. */
export async function applyTemplate(
  service: Service,
  actor: Actor,
  { template, nickname, another, conditions }: TemplateRequest,
): Promise<Submitted> {
  const { placement, compiled, name: written } = await compileNewTemplate(service, actor, template);
  return createStack(service, actor, {
    language: 'v3',
    placement,
    compiled,
    nickname: nickname || written?.text,
    isUnique: another === undefined ? written?.isUnique : !another,
    conditions,
  });
}

export interface TemplateUpdate {
  stackId: string;
  template: TemplateText;
  conditions?: WriteConditions | undefined;
}

/** Updates a stack. The template's vendor section is ignored: a stack never moves. */
export async function updateTemplate(
  service: Service,
  actor: Actor,
  { stackId, template, conditions }: TemplateUpdate,
): Promise<Submitted> {
  const stack = await findUpdatable(service.database.query, actor, { stackId, language: 'v3' });
  const compiled = await compileChangedTemplate(service, stack, template);
  return updateStack(service, actor, { stack, compiled: withOwnVendor(compiled, stack), conditions });
}

const withOwnVendor = (compiled: Compiled, stack: StackRow): Compiled => {
  const vendor = { [stack.vendor]: { cred: stack.credential_id, region: stack.region } };
  const { document } = compiled;
  return { ...compiled, document: 'vendor' in document ? { ...document, vendor } : { vendor, ...document } };
};
