import { Readable } from 'node:stream';
import type { Static } from 'typebox';
import { Failure } from '../../basics/failure.ts';
import * as audit from '../../contract/v3/audit.ts';
import type { Actor } from '../../operations/access/access.ts';
import { type ChainCheck, checkChain } from '../../operations/audit/audit-chain.ts';
import { exportAudit, readAudit, showAudit } from '../../operations/audit/read-audit.ts';
import type { Service } from '../../operations/service.ts';
import { type Handlers, rawReply } from '../http/binding.ts';
import { decodeCursor, oneMore, pageOf } from '../shared/page-cursor.ts';

const entriesPerPage = 100;

/** The offset is required: without it, the time would depend on the time zone of the server. */
const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

function readTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // An unescaped plus in a URL arrives as a space.
  const unescaped = text.replace(' ', '+');
  const time = isoTime.test(unescaped) ? Date.parse(unescaped) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const message = `${name} must be a timestamp such as 2030-01-31T12:00:00Z`;
  throw new Failure('invalid_request', message, { problems: [{ path: name, message }] });
}

const readFilter = (query: Static<(typeof audit.exportAudit)['query']>) => {
  const { actor, action, resource, decision, from, to } = query;
  return { actor, action, resource, decision, from: readTime('from', from), to: readTime('to', to) };
};

async function* lines(pages: ReturnType<typeof exportAudit>): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(showAudit(row))}\n`).join('');
}

const showCheck = (check: ChainCheck) =>
  check.isIntact
    ? { is_intact: true, entries: check.entries, deleted: check.deleted, last_hash: check.lastHash }
    : {
        is_intact: false,
        entries: check.number - 1 - check.deleted,
        deleted: check.deleted,
        problem: `Entry ${check.number} ${check.problem}.`,
      };

/** A check reads the whole log: requests during one get its result. */
function checker({ database }: Service): (accountId: string) => Promise<ChainCheck> {
  const running = new Map<string, Promise<ChainCheck>>();
  return (accountId) => {
    const check =
      running.get(accountId) ??
      checkChain(database.query, accountId).finally(() => running.delete(accountId));
    running.set(accountId, check);
    return check;
  };
}

const entryHandlers = (service: Service): Omit<Handlers<typeof audit.auditRoutes, Actor>, 'checkAudit'> => ({
  listAudit: async ({ actor, query, setHeader }) => {
    const { limit = entriesPerPage, cursor } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor).createdAt;
    const found = await readAudit(service, actor, {
      filter: readFilter(query),
      after,
      limit: oneMore(limit) ?? limit,
    });
    const request = { path: audit.listAudit.path, query, limit, setHeader };
    return pageOf(found, request, ({ number, hash }) => ({ createdAt: number, id: hash })).map(showAudit);
  },
  exportAudit: ({ actor, query }) => {
    const pages = exportAudit(service, actor, readFilter(query));
    return rawReply({
      contentType: 'application/x-ndjson; charset=utf-8',
      headers: { 'cache-control': 'no-store' },
      body: Readable.from(lines(pages), { objectMode: false }),
    });
  },
});

export const auditHandlers = (service: Service): Handlers<typeof audit.auditRoutes, Actor> => {
  const check = checker(service);
  return {
    ...entryHandlers(service),
    checkAudit: async ({ actor }) => showCheck(await check(actor.accountId)),
  };
};
