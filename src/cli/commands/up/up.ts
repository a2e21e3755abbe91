import type { StackSummary } from '../../../contract/v3/schemas/stack-summary.ts';
import type { applyTemplate, updateTemplate } from '../../../contract/v3/templates.ts';
import type { describeTemplate } from '../../../contract/v3/versions.ts';
import { CliError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import type { InputFile } from '../../files/input-file.ts';
import { asDocument, withFilePositions } from '../../files/template-file.ts';
import { say } from '../../follow/display.ts';
import { findStackNamed } from '../../names/find-stacks.ts';
import type { Reply } from '../../net/api.ts';
import { canAsk, requireYes } from '../../prompt/confirm.ts';
import { sendGuarded } from '../data/send-guarded.ts';
import { costLine } from '../template/show-cost.ts';
import { fetchPreview } from '../template/show-preview.ts';
import { changeLines, isSame, type Preview } from './changes.ts';
import { finishUp, waitAgain } from './finish-up.ts';
import { nameOf, readTemplate } from './template-name.ts';

interface Wanted {
  name: string;
  file: InputFile;
  /** Null: it does not exist yet. */
  stack: StackSummary | null;
}

/** Shows what would change, and asks on a terminal. */
async function approve(context: Context, { name, stack }: Wanted, preview: Preview): Promise<void> {
  const { args, out, system } = context;
  for (const line of changeLines(name, stack === null, preview)) say(context, line);
  const cost = costLine(preview.cost);
  if (cost !== null) say(context, cost);
  for (const warning of preview.warnings) out.warn(warning);
  if (!args.is('yes') && canAsk(system))
    await requireYes(system, stack ? 'Apply these changes?' : `Create ${name}?`, '--yes');
}

function send(context: Context, { name, file, stack }: Wanted) {
  const { api } = context;
  const body = asDocument(file);
  return withFilePositions<Reply<{ stack_id: string; version_id: string }>>(file, () =>
    stack
      ? sendGuarded(context, (query) =>
          api.call<typeof updateTemplate>('PUT', '/v3/alm/template/{stack_id}', {
            params: { stack_id: stack.stack_id },
            query,
            // What was shown is what is changed.
            headers: { 'if-match': stack.version.version_id },
            body,
          }),
        )
      : api.call<typeof applyTemplate>('POST', '/v3/alm/template', {
          query: { nickname: name, another: false },
          body,
        }),
  );
}

const sealed = '${sealed}';
const countSealed = (text: string): number => text.split(sealed).length - 1;

/** Changed secrets are not shown as changes: a template that has them is always applied. */
async function hasOwnSecrets({ api }: Context, file: InputFile, stack: StackSummary): Promise<boolean> {
  const { text } = await api.call<typeof describeTemplate>('GET', '/v3/alm/template/{stack_id}', {
    params: { stack_id: stack.stack_id },
    query: { version_id: stack.version.version_id },
  });
  return countSealed(text) > countSealed(file.text);
}

/** A stack that failed is tried again with the same template. */
const isUpToDate = async (context: Context, { file, stack }: Wanted, preview: Preview): Promise<boolean> =>
  stack !== null &&
  !stack.stack_status.endsWith('_FAILED') &&
  isSame(preview) &&
  !(await hasOwnSecrets(context, file, stack));

function requireUsable({ name, stack }: Wanted): void {
  if (stack?.interface === 'v2')
    throw new CliError('conflict', `Stack ${name} is of API v2, and has no template.`, {
      hints: ['Use another name: --name <name>'],
    });
  if (stack?.stack_status === 'DELETE_IN_PROGRESS')
    throw new CliError('conflict', `Stack ${name} is being deleted.`, {
      hints: [`Wait until it is gone: alm stack wait ${stack.stack_id}`],
    });
}

/** Makes the stack as its template says, whether it exists or not, and waits until its application serves. */
export const bringUp: Run = async (context) => {
  const file = await readTemplate(context);
  const name = await nameOf(context, file);
  const wanted = { name, file, stack: await findStackNamed(context.api, name) };
  requireUsable(wanted);
  const { body: preview } = await fetchPreview(context, file, wanted.stack?.stack_id);
  if (wanted.stack && (await isUpToDate(context, wanted, preview))) {
    say(context, `Nothing to change: ${name} has this template.`);
    return waitAgain(context, wanted.stack);
  }
  await approve(context, wanted, preview);
  return finishUp(context, await send(context, wanted));
};
