import type { Compiled } from '../../../languages/language.ts';
import { compileTemplate, readNickname, readPlacement } from '../../../languages/v3-template/compile.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { refuseDocument } from './refuse-document.ts';
import { createStack, findUpdatable, type NewStack, type Submitted, updateStack } from './submit-document.ts';
import type { WriteConditions } from './write-conditions.ts';

/** Creates a stack from a v3 template, or refuses it with every problem at once. */
export async function applyTemplate(
  service: Service,
  actor: Actor,
  template: unknown,
  { nickname, conditions }: { nickname?: string | undefined; conditions?: WriteConditions } = {},
): Promise<Submitted> {
  const placement = readPlacement(template);
  const compiled = compileTemplate(template, placement.ok ? placement.value.region : 'unknown');
  if (!placement.ok || !compiled.ok)
    return refuseDocument([placement, compiled].flatMap((outcome) => (outcome.ok ? [] : outcome.problems)));
  const asked: NewStack = {
    language: 'v3',
    placement: placement.value,
    compiled: compiled.value,
    nickname: nickname || readNickname(template) || undefined,
  };
  return createStack(service, actor, asked, conditions);
}

/** The template's vendor section is ignored: a stack stays where it is. */
export async function updateTemplate(
  service: Service,
  actor: Actor,
  stackId: string,
  template: unknown,
  conditions?: WriteConditions,
): Promise<Submitted> {
  const stack = await findUpdatable(service.database.query, actor, stackId, 'v3');
  const compiled = compileTemplate(template, stack.region);
  if (!compiled.ok) return refuseDocument(compiled.problems);
  return updateStack(service, actor, stack, withOwnVendor(compiled.value, stack), conditions);
}

const withOwnVendor = (compiled: Compiled, stack: StackRow): Compiled => {
  const vendor = { [stack.vendor]: { cred: stack.credential_id, region: stack.region } };
  const { document } = compiled;
  return { ...compiled, document: 'vendor' in document ? { ...document, vendor } : { vendor, ...document } };
};
