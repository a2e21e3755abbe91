import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AlmUser, firstStack, signedIn } from '../alm.ts';
import { initPass, StandIns } from '../session/store-stand-ins.ts';
import { runBriefly } from './run.ts';
import { type Answering, freshToken, isSignIn, Stranger, sendJson, sendRefusal } from './stranger.ts';

let user: AlmUser;
let stranger: Stranger;
beforeEach(() => void (user = new AlmUser()));
afterEach(() => {
  stranger.close();
  user.close();
});

const inProgress = {
  stack_id: 'mo-1',
  version_id: '1',
  stack_status: 'CREATE_IN_PROGRESS',
  stack_status_reason: '',
  stack_outputs: [],
};

const event = (id: number, kind: string, status: string, message: string) => ({
  event_id: id,
  time: '2026-01-01T00:00:00Z',
  kind,
  resource: '',
  resource_type: '',
  status,
  message,
  version_id: '1',
});
const begins = event(1, 'request', 'CREATE_IN_PROGRESS', 'root asked to create the stack.');
const ends = event(2, 'status', 'CREATE_COMPLETE', 'All requested resources are ready.');

/**
 * Our own stand-in for a server that makes one stack. It takes every token until the stream of events is asked for,
 * and from then on only those that were given out after the first refusal.
 */
function forgetful(): Answering {
  let [given, refusals] = [0, 0];
  let isThere = false;
  return (asked, response) => {
    if (isSignIn(asked)) return sendJson(response, 200, freshToken(`token-${(given += 1)}`));
    const isNew = asked.token === 'token-2';
    if (!isNew && (refusals > 0 || asked.path.includes('/events/stream'))) {
      refusals += 1;
      return sendRefusal(response, 401, 'The token has expired');
    }
    if (asked.method === 'POST') return sendJson(response, 201, { stack_id: 'mo-1', version_id: '1' });
    if (asked.path.includes('/events/stream')) {
      isThere = true;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.write(`id: 2\ndata: ${JSON.stringify(ends)}\n\n`);
    }
    if (asked.path.includes('/events')) return sendJson(response, 200, [begins]);
    if (asked.path.includes('/estimate')) return sendRefusal(response, 404, 'Nothing is known');
    const stack_status = isThere ? 'CREATE_COMPLETE' : 'CREATE_IN_PROGRESS';
    return sendJson(response, 200, { ...inProgress, stack_status });
  };
}

const create = ['stack', 'create', '--alm-template', firstStack, '--wait'];

describe('a token that ends in the middle of a wait, with a server of our own as the stand-in', () => {
  it('is told with the way back to the stack when there is no other', async () => {
    stranger = await Stranger.start(forgetful());
    const { code, stdout, stderr } = await runBriefly(user, [
      ...create,
      '--url',
      stranger.url,
      '--token',
      'given',
    ]);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({ stack_id: 'mo-1' });
    expect(stderr).toContain('[401 Unauthorized] The token has expired');
    expect(stderr).toMatch(/→ .*alm stack wait mo-1/);
    expect(stderr).toContain('alm login');
  });

  it('is replaced where the environment says who we are, and the wait goes on', async () => {
    stranger = await Stranger.start(forgetful());
    const env = { ...signedIn, ALM_URL: stranger.url };
    const { code, stderr } = await runBriefly(user, create, { env });
    expect(stderr).toContain('Stack mo-1 is CREATE_COMPLETE');
    expect(code).toBe(0);
    expect(stranger.calls.filter((call) => call === 'POST /v3/alm/template')).toHaveLength(1);
    expect(stranger.asked.filter(isSignIn)).toHaveLength(2);
  });
});

describe('a token that is refused at once, by a stand-in of ours', () => {
  const refusing =
    (times: number): Answering =>
    (asked, response) => {
      if (isSignIn(asked)) return sendJson(response, 200, freshToken(`token-${signIns()}`));
      if (Number(asked.token.slice('token-'.length)) <= times)
        return sendRefusal(response, 401, 'The token has expired');
      return sendJson(response, 200, []);
    };
  const signIns = (): number => stranger.asked.filter(isSignIn).length;
  const list = async (times: number) => {
    stranger = await Stranger.start(refusing(times));
    return runBriefly(user, ['stack', 'list'], { env: { ...signedIn, ALM_URL: stranger.url } });
  };

  it('is replaced once where the environment says who we are', async () => {
    const { code, stdout } = await list(1);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^STACK ID/)]);
    expect(signIns()).toBe(2);
  });

  it('is not replaced for ever', async () => {
    const { code, stdout } = await list(1000);
    expect([code, stdout]).toEqual([4, '']);
    expect(signIns()).toBeLessThan(4);
  });
});

describe('what a native store keeps, with a stand-in of ours for pass', () => {
  let standIns: StandIns;
  beforeEach(async () => {
    standIns = new StandIns(['pass', 'gpg']);
    initPass(user.home);
    let given = 0;
    stranger = await Stranger.start((asked, response) =>
      isSignIn(asked)
        ? sendJson(response, 200, freshToken(`token-${(given += 1)}`))
        : sendJson(response, 200, []),
    );
    const { code, stderr } = await run('login', '--url', stranger.url);
    expect([code, stderr]).toEqual([0, expect.stringContaining('are kept in pass')]);
    return () => standIns.close();
  });

  const run = (...args: string[]) =>
    runBriefly(user, args, { env: { PATH: standIns.path, ALM_CREDENTIAL_STORE: 'pass', ...forLogin(args) } });
  /** Only a sign-in is told who we are; all else must know it from the store. */
  const forLogin = ([word]: readonly string[]) => (word === 'login' ? signedIn : {});
  const entry = (): string => join(user.home, '.password-store', 'alm', 'default.gpg');
  const kept = (): Record<string, unknown> =>
    JSON.parse(readFileSync(entry(), 'utf8')) as Record<string, unknown>;
  const passThat = (does: string): string =>
    `file="$HOME/.password-store/$(eval echo "\\\${$#}").gpg"\ncase "$1" in ${does} rm) rm -f "$file" ;; esac`;
  const expire = (): void =>
    writeFileSync(entry(), JSON.stringify({ ...kept(), expires: '2020-01-01T00:00:00.000Z' }));

  it('stays there when several at once find the token expired, and all go on', async () => {
    // Entries appear whole: a shell's own ">" leaves one empty for a moment, and it is alm that is looked at.
    standIns.replace(
      'pass',
      passThat('insert) cat > "$file.$$" && mv "$file.$$" "$file" ;; show) cat "$file" ;;'),
    );
    expire();
    const all = await Promise.all(Array.from({ length: 5 }, () => run('stack', 'list')));
    expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, '']));
    expect(kept()).toMatchObject({ url: stranger.url, signIn: { username: signedIn.ALM_USERNAME } });
    expect(Date.parse(String(kept().expires))).toBeGreaterThan(Date.now());
    expect((await run('stack', 'list')).code).toBe(0);
  });

  it('stays as it was when a store does not give back what is written to it', async () => {
    const before = kept();
    // Takes what is new and gives something else back; what it had before it takes and gives back.
    standIns.replace(
      'pass',
      passThat(`
  show) if [ -f "$HOME/forgets" ]; then echo nothing; else cat "$file"; fi ;;
  insert) cat > "$file"; if [ -f "$HOME/forgets" ]; then rm "$HOME/forgets"; else touch "$HOME/forgets"; fi ;;`),
    );
    const again = await run('login', '--url', stranger.url);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('does not come back')]);
    expect(kept()).toEqual(before);
    expect((await run('stack', 'list')).code).toBe(0);
  });
});
