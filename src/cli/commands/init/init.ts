import { existsSync, writeFileSync } from 'node:fs';
import { CliError, usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import type { InputFile } from '../../files/input-file.ts';
import { canAsk } from '../../prompt/confirm.ts';
import { askLineOr } from '../../prompt/prompt.ts';
import { fetchPreview } from '../template/show-preview.ts';
import { type Answers, type Kind, kinds, templateText } from './template-text.ts';

interface Question {
  flag: string;
  text: string;
  fallback: string;
}

/** The flag, or on a terminal the answer, or the fallback: programs are never asked. */
async function answerTo({ args, system }: Context, { flag, text, fallback }: Question): Promise<string> {
  const given = args.text(flag);
  if (given !== undefined || !canAsk(system)) return given ?? fallback;
  return askLineOr(system, text, fallback);
}

const isKind = (word: string): word is Kind => kinds.some((kind) => kind === word);

async function kindOf(context: Context): Promise<Kind> {
  const text = 'Kind: server (one), web (balanced), database (web with a database), docker';
  const kind = await answerTo(context, { flag: 'kind', text, fallback: 'server' });
  if (isKind(kind)) return kind;
  throw usageError(`Unknown kind "${kind}".`, `Kinds: ${kinds.join(', ')}`);
}

/** Docker has no simulation: it runs on any machine. */
const credentialQuestion = (kind: Kind): Question =>
  kind === 'docker'
    ? { flag: 'cred', text: 'Credential ID of docker', fallback: 'local' }
    : { flag: 'cred', text: 'Credential ID, or SANDBOX for the simulated cloud', fallback: 'SANDBOX' };

async function answersOf(context: Context): Promise<Answers> {
  const kind = await kindOf(context);
  const name = await answerTo(context, { flag: 'nickname', text: 'Name of the stack', fallback: 'my-stack' });
  const image = await answerTo(context, { flag: 'image', text: 'Container image', fallback: 'httpd:2.4' });
  const cred = await answerTo(context, credentialQuestion(kind));
  const region = context.args.text('region') ?? (kind === 'docker' ? 'local' : 'ap-northeast-1');
  return { kind, name, image, cred, region };
}

function write(file: InputFile, isForced: boolean): void {
  try {
    // Fails if the file exists by now, whatever was checked before.
    writeFileSync(file.name, file.text, { flag: isForced ? 'w' : 'wx' });
  } catch (cause) {
    if (!isForced && existsSync(file.name)) throw exists(file.name);
    throw new CliError('refused', `Cannot write ${file.name}.`, {
      lines: cause instanceof Error ? [cause.message] : [],
      cause,
    });
  }
}

const exists = (name: string): CliError =>
  usageError(`${name} exists already; nothing was written.`, 'Name another file, or replace it: --force');

/** Writes a template and checks it: the service compiles it, and nothing is created. */
export const writeTemplate: Run = async (context) => {
  const { args, out } = context;
  const name = args.text('file') ?? 'stack.yaml';
  const isForced = args.is('force');
  // Before the questions: the answers would be lost.
  if (!isForced && existsSync(name)) throw exists(name);
  const file = { name, text: templateText(await answersOf(context)) };
  write(file, isForced);
  out.info(`${name} is written.`);
  if (!args.is('check')) return;
  const { body } = await fetchPreview(context, file);
  out.info(`The service accepts it: ${body.changes.length} resources.`);
  out.more(`→ To create the stack: alm up${name === 'stack.yaml' ? '' : ` ${name}`}`);
};
