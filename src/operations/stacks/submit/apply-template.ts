import type { Compiled } from '../../../languages/language.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import type { Actor } from '../../access/access.ts';
import type { NewTemplate } from '../../documents/jobs.ts';
import type { TemplateText } from '../../documents/read-template.ts';
import { refuseModel } from '../../documents/refuse-document.ts';
import { resolveTracks } from '../../registry/track/resolve-tracks.ts';
import { missingSecrets } from '../../secrets/used-secrets.ts';
import type { Service } from '../../service.ts';
import type { Automatic } from './automatic.ts';
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
export async function compileNewTemplate(
  service: Service,
  actor: Actor,
  template: TemplateText,
): Promise<NewTemplate> {
  const size = template.text.length;
  const request = { input: template, size, caller: actor.accountId };
  const { compiled, ...rest } = await service.documents.run('newTemplate', request);
  return { ...rest, compiled: await resolveReferences(service, actor, compiled) };
}

interface ChangedTemplate {
  actor: Actor;
  stack: StackRow;
  template: TemplateText;
}

/** Compiles a template for an existing stack, or refuses it with all its problems. */
export async function compileChangedTemplate(
  service: Service,
  { actor, stack, template }: ChangedTemplate,
): Promise<Compiled> {
  const { account_id: caller, region } = stack;
  const input = { body: template, region };
  const compiled = await service.documents.run('changedTemplate', {
    input,
    size: template.text.length,
    caller,
  });
  return resolveReferences(service, actor, compiled);
}

/** Layers that follow an image and name none begin with the present one. Secrets must exist. */
async function resolveReferences(service: Service, actor: Actor, compiled: Compiled): Promise<Compiled> {
  const resolved = await resolveTracks(service, actor, compiled);
  const missing = await missingSecrets(service.database.query, actor.accountId, compiled.model);
  const problems = [...resolved.problems, ...missing];
  return problems.length > 0 ? refuseModel(compiled, problems) : resolved.compiled;
}

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

export interface TemplateUpdate extends Automatic {
  stackId: string;
  template: TemplateText;
  conditions?: WriteConditions | undefined;
}

/** Updates a stack. The template's vendor section is ignored: a stack never moves. */
export async function updateTemplate(
  service: Service,
  actor: Actor,
  { stackId, template, ...rest }: TemplateUpdate,
): Promise<Submitted> {
  const stack = await findUpdatable(service.database.query, actor, { stackId, language: 'v3' });
  const compiled = await compileChangedTemplate(service, { actor, stack, template });
  return updateStack(service, actor, { stack, compiled: withOwnVendor(compiled, stack), ...rest });
}

const withOwnVendor = (compiled: Compiled, stack: StackRow): Compiled => {
  const vendor = { [stack.vendor]: { cred: stack.credential_id, region: stack.region } };
  const { document } = compiled;
  return { ...compiled, document: 'vendor' in document ? { ...document, vendor } : { vendor, ...document } };
};
