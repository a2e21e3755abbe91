import { Failure } from '../../../basics/failure.ts';
import { isObject } from '../../../basics/is-object.ts';

type Members = Readonly<Record<string, unknown>>;

/** What a call asks for. */
export type Wish =
  | { kind: 'image'; image: string; flag: string | undefined }
  | { kind: 'git'; urls: readonly string[]; reference: string; commit: string; by: string }
  /** Deploy the same again. */
  | { kind: 'again' }
  | { kind: 'nothing' };

const maxText = 500;
/** Longer members count as absent: a name, an address or a commit is shorter. */
const maxMember = 2000;

const isPlain = (text: string): boolean => text.length <= maxText && !/\p{C}/u.test(text);

/** Text that may stand in events and the audit log. */
const clean = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 64);

const textIn = (members: unknown, ...names: readonly string[]): string => {
  if (!isObject(members)) return '';
  const found = names.map((name) => (Object.hasOwn(members, name) ? members[name] : undefined));
  return (
    found.find(
      (value): value is string => typeof value === 'string' && value !== '' && value.length <= maxMember,
    ) ?? ''
  );
};

function parse(text: string): Members {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {}
  throw new Failure('invalid_request', 'The body must be a JSON object', {
    description: 'Set the content type of the webhook to application/json.',
  });
}

const urlNames = [
  'clone_url',
  'ssh_url',
  'git_url',
  'html_url',
  'git_http_url',
  'git_ssh_url',
  'web_url',
  'url',
];

const noCommit = /^0*$/;

/** A push event of GitHub, Gitea or GitLab. A deleted branch has no commit. */
function readPush(body: Members): Wish {
  const [, reference = ''] = /^refs\/(?:heads|tags)\/(.+)$/s.exec(textIn(body, 'ref')) ?? [];
  const commit = textIn(body, 'checkout_sha', 'after');
  if (reference === '' || noCommit.test(commit)) return { kind: 'nothing' };
  const places = [body['repository'], body['project']];
  const urls = places.flatMap((place) => urlNames.map((name) => textIn(place, name)));
  const pusher = textIn(body['pusher'], 'username', 'login', 'name');
  return {
    kind: 'git',
    urls: urls.filter((url) => url !== ''),
    reference,
    commit: clean(commit).slice(0, 12),
    by: clean(pusher || textIn(body, 'user_username', 'user_name')) || 'unknown',
  };
}

/** Reads what to deploy; everything else in the body is ignored. */
export function readDelivery(kind: 'forge' | 'plain', text: string): Wish {
  const body = parse(text);
  const image = textIn(body, 'image');
  const flag = textIn(body, 'flag');
  if (!isPlain(image) || !isPlain(flag))
    throw new Failure(
      'invalid_request',
      `image and flag have at most ${maxText} characters, and no line breaks`,
    );
  if (image !== '') return { kind: 'image', image, flag: flag === '' ? undefined : flag };
  if ('ref' in body) return readPush(body);
  return kind === 'plain' ? { kind: 'again' } : { kind: 'nothing' };
}
