import type * as secrets from '../../../contract/v3/secrets/secrets.ts';
import { usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { type InputFile, readInput, readInputFile } from '../../files/input-file.ts';
import { askSecret } from '../../prompt/prompt.ts';
import { printReply } from '../print-reply.ts';

/** Editors and `echo` end a line with a line break that does not belong to a password; a text of several lines is as it is. */
function withoutLineBreak(text: string): string {
  if (text.indexOf('\n') !== text.length - 1) return text;
  return text.slice(0, text.endsWith('\r\n') ? -2 : -1);
}

function valueIn({ name, text }: InputFile): string {
  if (text.includes('\uFFFD'))
    throw usageError(
      `The value in ${name} is not text in UTF-8.`,
      'Encode it as text, for example with base64.',
    );
  return withoutLineBreak(text);
}

async function askTwice({ system }: Context, name: string): Promise<string> {
  const label = `Value of ${name}`;
  const first = await askSecret(system, label, '--value-file');
  if ((await askSecret(system, `${label} again`, '--value-file')) === first) return first;
  throw usageError('The values do not match.', 'Nothing was sent. Try again.');
}

async function readValue(context: Context, name: string): Promise<string> {
  const { args, system } = context;
  if (args.has('value-file')) return valueIn(await readInputFile(context, 'value-file'));
  return system.stdin.isTTY ? askTwice(context, name) : valueIn(await readInput(system));
}

export const setSecret: Run = async (context) => {
  const { api, args, out } = context;
  const name = args.required('name');
  const value = await readValue(context, name);
  if (value === '')
    throw usageError(`The value of ${name} is empty.`, `To remove it: alm secret delete ${name}`);
  const reply = await api.call<typeof secrets.setSecret>('PUT', '/v3/alm/secret/{secret_name}', {
    params: { secret_name: name },
    body: { value },
  });
  await printReply(context, reply);
  const { changed, stacks } = reply.body;
  if (!changed) out.info(`${name} has this value already.`);
  for (const stackId of stacks)
    out.info(`${stackId} is deployed again. Follow it: alm rollout watch ${stackId}`);
};
