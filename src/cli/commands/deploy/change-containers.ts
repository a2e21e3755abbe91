import type { describeStack } from '../../../contract/v3/stacks.ts';
import type { updateTemplate } from '../../../contract/v3/templates.ts';
import type { describeTemplate } from '../../../contract/v3/versions.ts';
import { CliError, usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { StackCalls } from '../../follow/stack-calls.ts';
import { sendGuarded } from '../data/send-guarded.ts';
import { finishChange } from '../stack/print-and-wait.ts';

export type Container = Readonly<Record<string, unknown>>;

interface Layer {
  flag?: unknown;
  container?: unknown;
}

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The layer whose container changes: the one that is named, or the only one that has a container of its own. */
function layerToChange(layers: readonly Layer[], flag: string | undefined, stackId: string): Layer {
  const own = layers.filter(({ container }) => isContainer(container));
  const names = own.map((layer) => String(layer.flag)).join(', ');
  if (own.length === 0)
    throw new CliError('conflict', `No layer of stack ${stackId} runs a container.`, {
      hints: ['Add a container section to its template: alm template describe <stack>'],
    });
  const found = flag === undefined ? own : own.filter((layer) => layer.flag === flag);
  const [first, ...others] = found;
  if (!first) throw usageError(`Layer ${flag} of stack ${stackId} runs no container.`, `Layers: ${names}`);
  if (others.length > 0)
    throw usageError(
      `Several layers of stack ${stackId} run containers: ${names}.`,
      'Name one: --flag <layer>',
    );
  return first;
}

const failedBefore = (stackId: string, status: string): CliError =>
  new CliError(
    'conflict',
    `Stack ${stackId} is ${status}: its current template may be the one that failed.`,
    {
      hints: [
        `Deploy a container that works: alm deploy ${stackId} --image <image>`,
        `Or update it to a template that works: alm stack update ${stackId} <file>`,
        `Or go back: alm stack rollback ${stackId} --ver <version id>`,
      ],
    },
  );

interface ContainerChange {
  change: (container: Container) => Container;
  /** Whether it may be what repairs a stack whose last change failed. */
  repairs: boolean;
}

/** After a failed rollout, the stack is back at a version that serves. */
async function hasServed(context: Context, stackId: string, versionId: string): Promise<boolean> {
  const rollouts = await new StackCalls(context, stackId, new AbortController().signal).rollouts();
  return rollouts.some(({ version_id: of, state }) => of === versionId && state === 'serving');
}

/** The template that the stack has now. Secrets in it are placeholders, with which an update keeps them. */
async function currentTemplate(context: Context, stackId: string, { repairs }: ContainerChange) {
  const { api, out } = context;
  const params = { stack_id: stackId };
  const { body: stack } = await api.call<typeof describeStack>('GET', '/v3/alm/stack/{stack_id}', { params });
  const { version_id, stack_status: status, stack_status_reason: reason } = stack;
  if (status.endsWith('_FAILED') && !(await hasServed(context, stackId, version_id))) {
    // Its template may be the one that failed, which nobody asked to try again as it is.
    if (!repairs) throw failedBefore(stackId, status);
    out.info(`The last change of the stack failed: ${reason}`);
    out.more('Its template is applied with the new container.');
  }
  const { body } = await api.call<typeof describeTemplate>('GET', '/v3/alm/template/{stack_id}', {
    params,
    query: { version_id },
  });
  return { template: body as { configurations: readonly Layer[] }, versionId: version_id };
}

/**
 * Updates a stack to its own template with another container in one layer, and waits. If another update came first, nothing is
 * changed.
 */
export async function changeContainer(context: Context, change: ContainerChange): Promise<number | void> {
  const { api, args } = context;
  const stackId = args.required('id');
  const { template, versionId } = await currentTemplate(context, stackId, change);
  const changed = layerToChange(template.configurations, args.text('flag'), stackId);
  const configurations = template.configurations.map((layer) =>
    layer === changed && isContainer(layer.container)
      ? { ...layer, container: change.change(layer.container) }
      : layer,
  );
  const reply = await sendGuarded(context, (query) =>
    api.call<typeof updateTemplate>('PUT', '/v3/alm/template/{stack_id}', {
      params: { stack_id: stackId },
      query,
      headers: { 'if-match': versionId },
      body: { text: JSON.stringify({ ...template, configurations }), format: 'json' },
    }),
  );
  return finishChange(context, reply, { stackId, versionId: reply.body.version_id });
}
