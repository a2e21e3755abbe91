import type { ErrorBody } from '../../../contract/error-body.ts';
import { CliError, usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { ApiError } from '../../net/api-error.ts';
import { canAsk } from '../../prompt/confirm.ts';
import { askLine } from '../../prompt/prompt.ts';
import { type DataWord, dataWord } from './data-word.ts';

/** A store of data that a refused request would remove or replace. */
type Store = NonNullable<ErrorBody['stores']>[number];

/** Parameters that confirm the end of a store: their meaning, and the flag that sends them. */
const confirmations: Readonly<Record<string, readonly [meaning: string, flag: string]>> = {
  'data=keep': ['to go on and keep the data', '--keep-data'],
  'data=delete': ['to go on and lose the data', '--delete-data'],
  'servers=replace': ['to go on and lose what is only on these disks', '--replace-servers'],
};

const meaningOf = (parameter: string): string => confirmations[parameter]?.[0] ?? 'to go on';
const flagOf = (parameter: string): string => confirmations[parameter]?.[1] ?? parameter;
const valueOf = (parameter: string): string => parameter.slice(parameter.indexOf('=') + 1);

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const parametersOf = (stores: readonly Store[]): string[] => [
  ...new Set(stores.flatMap(({ confirm }) => confirm)),
];

interface Answer {
  store: Store;
  /** One of those that the store asks for. */
  parameter: string;
}

/** Stores with the same possible answers are one question. */
function questionsFor(stores: readonly Store[]): Store[][] {
  const questions = new Map<string, Store[]>();
  for (const store of stores) {
    const key = store.confirm.join();
    questions.set(key, [...(questions.get(key) ?? []), store]);
  }
  return [...questions.values()];
}

async function ask({ system, out }: Context, stores: readonly Store[]): Promise<Answer[]> {
  for (const { sentence } of stores) out.warn(sentence);
  const parameters = parametersOf(stores);
  const words = parameters.map((parameter) => `"${valueOf(parameter)}" ${meaningOf(parameter)}`);
  const flags = parameters.map(flagOf).join(' or ');
  const typed = await askLine(system, `Type ${words.join(', or ')}`, flags);
  const parameter = parameters.find((each) => valueOf(each) === typed);
  if (parameter === undefined)
    throw usageError('Not confirmed; nothing was changed.', `Without a question: ${flags}`);
  return stores.map((store) => ({ store, parameter }));
}

/** `--yes` and `--auto-approve` promise that nothing is asked. */
const mayAsk = ({ system, command, args }: Context): boolean =>
  canAsk(system) &&
  !command.flags.some(({ name }) => (name === 'yes' || name === 'auto-approve') && args.is(name));

/** The refusal, with the flags that confirm it. */
const refusal = (error: ApiError, stores: readonly Store[]): CliError =>
  new CliError(error.exitReason, '[409 Conflict] The request removes data. Nothing was changed.', {
    lines: [...stores.map(({ sentence }) => sentence), ...error.lines],
    hints: [
      ...parametersOf(stores).map(
        (parameter) => `${capitalized(meaningOf(parameter))}: ${flagOf(parameter)}`,
      ),
      ...(stores.length > 1 && stores.some(({ kind }) => kind !== 'disk')
        ? ['For one store: --data <id or resource>=keep, or =delete']
        : []),
    ],
    cause: error,
  });

async function answersFor(context: Context, error: ApiError, stores: readonly Store[]): Promise<Answer[]> {
  const isSaid = ({ confirm }: Store): boolean =>
    context.args.is('keep-data') && confirm.includes('data=keep');
  const open = stores.filter((store) => !isSaid(store));
  if (open.length > 0 && !mayAsk(context)) throw refusal(error, open);
  const answers: Answer[] = stores.filter(isSaid).map((store) => ({ store, parameter: 'data=keep' }));
  for (const question of questionsFor(open)) answers.push(...(await ask(context, question)));
  return answers;
}

/** The word for each store takes the place of one for all: the interface has either. */
function withAnswers(word: DataWord, answers: readonly Answer[]): DataWord {
  const before = word.data?.includes(':') ? [word.data] : [];
  const choices = answers
    .filter(({ parameter }) => parameter.startsWith('data='))
    .map(({ store, parameter }) => `${store.id}:${valueOf(parameter)}`);
  return {
    ...word,
    ...(choices.length > 0 ? { data: [...before, ...choices].join(',') } : {}),
    ...(answers.some(({ parameter }) => parameter === 'servers=replace') ? { servers: 'replace' } : {}),
  };
}

/**
 * Sends a request that may remove data. If the service refuses it because of data, a person on a terminal is asked, and the
 * request is repeated with the answer. Nobody is asked twice about the same store.
 */
export async function sendGuarded<T>(context: Context, send: (word: DataWord) => Promise<T>): Promise<T> {
  const answered = new Set<string>();
  let word = dataWord(context);
  for (;;) {
    try {
      return await send(word);
    } catch (error) {
      const stores = error instanceof ApiError ? (error.body?.stores ?? []) : [];
      if (!(error instanceof ApiError) || stores.length === 0) throw error;
      if (stores.some(({ id }) => answered.has(id))) throw refusal(error, stores);
      word = withAnswers(word, await answersFor(context, error, stores));
      for (const { id } of stores) answered.add(id);
    }
  }
}
