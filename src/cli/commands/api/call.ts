import { usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { readInputFile } from '../../files/input-file.ts';
import { asDocument } from '../../files/template-file.ts';

type Members = Record<string, unknown>;

/** Numbers, true, false and null have their JSON type; everything else is text. */
const valueOf = (text: string): unknown =>
  /^(?:true|false|null|-?(?:0|[1-9]\d{0,14})(?:\.\d+)?)$/.test(text) ? (JSON.parse(text) as unknown) : text;

function fieldsOf({ args }: Context): Members {
  const pairs = args.list('field').map((field) => {
    const end = field.indexOf('=');
    if (end < 1) throw usageError(`Invalid value for --field: "${field}".`, '-F name=value');
    return [field.slice(0, end), field.slice(end + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

const typed = (fields: Members): Members =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, valueOf(String(value))]));

/** Fields are the query of GET and DELETE, and of a request with --input; otherwise the body. */
async function inputOf(context: Context, method: string) {
  const { args } = context;
  const fields = fieldsOf(context);
  if (args.has('input')) return { query: fields, body: asDocument(await readInputFile(context, 'input')) };
  if (method === 'GET' || method === 'DELETE' || Object.keys(fields).length === 0) return { query: fields };
  return args.is('form') ? { body: fields, encoding: 'form' as const } : { body: typed(fields) };
}

export const callApi: Run = async (context) => {
  const { api, args, out } = context;
  const method = args.required('method').toUpperCase();
  const path = args.required('path');
  if (!/^\/[^/]/.test(path) || path.includes('#'))
    throw usageError(`Invalid path: "${path}".`, 'It begins with a slash: alm api GET /v3/alm/stack');
  const { text, body, statusLine } = await api.request(method, path, await inputOf(context, method));
  if (text === '') out.info(`[${statusLine}] The response has no body.`);
  else if (body === null) out.data(text.endsWith('\n') ? text : `${text}\n`);
  else await out.document(text);
};
