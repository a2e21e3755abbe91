import { isErrorBody } from '../contract/client.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import { endingOfStatus } from './exit-codes.ts';
import { Trouble, type TroubleDetails } from './trouble.ts';

interface Refusal {
  status: number;
  /** `404 Not Found` */
  statusLine: string;
  text: string;
}

const parsed = (text: string): ErrorBody | null => {
  try {
    const body: unknown = JSON.parse(text);
    return isErrorBody(body) ? body : null;
  } catch {
    return null;
  }
};

const hintsFor = (status: number): string[] => {
  if (status === 401) return ['Sign in: alm login'];
  if (status === 403) return ['See what you may: alm rbac mine'];
  return [];
};

function detailsOf(status: number, body: ErrorBody | null, text: string): TroubleDetails {
  if (!body) return { lines: text.trim() === '' ? [] : [text.trim().slice(0, 500)], hints: hintsFor(status) };
  const { description, message, problems = [], request_id: requestId } = body;
  const lines = problems.map(({ path, message: why }) =>
    path === '' || why.startsWith(`${path} `) ? why : `${path}: ${why}`,
  );
  const isSaid = problems.length > 0 || description === '' || description === message;
  return {
    lines: [...lines, ...(requestId ? [`request id: ${requestId}`] : [])],
    hints: [...(isSaid ? [] : [description]), ...hintsFor(status)],
  };
}

/** Where every problem has its own line, what they mean together is the better headline. */
const headline = (body: ErrorBody | null): string => {
  if (!body) return 'The answer is not one of Almanac; is the address right?';
  const { problems = [], description, message } = body;
  return problems.length > 0 && description !== '' ? description : message;
};

/** The service answered, but not with what was asked for. */
export class Refused extends Trouble {
  readonly status: number;
  readonly body: ErrorBody | null;

  constructor({ status, statusLine, text }: Refusal) {
    const body = parsed(text);
    super(endingOfStatus(status), `[${statusLine}] ${headline(body)}`, detailsOf(status, body, text));
    this.name = 'Refused';
    this.status = status;
    this.body = body;
  }
}
