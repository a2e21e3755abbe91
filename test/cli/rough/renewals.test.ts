import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AlmUser, firstStack, signedIn } from '../alm.ts';
import { FakePrograms, initPass } from '../session/fake-programs.ts';
import { FakeServer, freshToken, type Handler, isSignIn, sendError, sendJson } from './fake-server.ts';
import { runBriefly } from './run.ts';

let user: AlmUser;
let server: FakeServer;
beforeEach(() => void (user = new AlmUser()));
afterEach(() => {
  server.close();
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
 * A fake server that creates one stack. It accepts every token until the event stream is requested, and from then on
 * only the second token.
 */
function expiringTokens(): Handler {
  let [issued, rejections] = [0, 0];
  let isComplete = false;
  return (request, response) => {
    if (isSignIn(request)) return sendJson(response, 200, freshToken(`token-${(issued += 1)}`));
    const isNew = request.token === 'token-2';
    if (!isNew && (rejections > 0 || request.path.includes('/events/stream'))) {
      rejections += 1;
      return sendError(response, 401, 'The token has expired');
    }
    if (request.method === 'POST') return sendJson(response, 201, { stack_id: 'mo-1', version_id: '1' });
    if (request.path.includes('/events/stream')) {
      isComplete = true;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.write(`id: 2\ndata: ${JSON.stringify(ends)}\n\n`);
    }
    if (request.path.includes('/events')) return sendJson(response, 200, [begins]);
    if (request.path.includes('/estimate')) return sendError(response, 404, 'Nothing is known');
    const stack_status = isComplete ? 'CREATE_COMPLETE' : 'CREATE_IN_PROGRESS';
    return sendJson(response, 200, { ...inProgress, stack_status });
  };
}

const create = ['stack', 'create', '--alm-template', firstStack, '--wait'];

describe('a token that expires during a wait (fake server)', () => {
  it('without other credentials, the error shows how to continue the wait', async () => {
    server = await FakeServer.start(expiringTokens());
    const { code, stdout, stderr } = await runBriefly(user, [
      ...create,
      '--url',
      server.url,
      '--token',
      'explicit',
    ]);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({ stack_id: 'mo-1' });
    expect(stderr).toContain('[401 Unauthorized] The token has expired');
    expect(stderr).toMatch(/→ .*alm stack wait mo-1/);
    expect(stderr).toContain('alm login');
  });

  it('with credentials in the environment, the token is renewed and the wait continues', async () => {
    server = await FakeServer.start(expiringTokens());
    const env = { ...signedIn, ALM_URL: server.url };
    const { code, stderr } = await runBriefly(user, create, { env });
    expect(stderr).toContain('Stack mo-1 is CREATE_COMPLETE');
    expect(code).toBe(0);
    expect(server.calls.filter((call) => call.startsWith('POST /v3/alm/template'))).toHaveLength(1);
    expect(server.requests.filter(isSignIn)).toHaveLength(2);
  });
});

describe('a token that is rejected at once (fake server)', () => {
  const rejecting =
    (times: number): Handler =>
    (request, response) => {
      if (isSignIn(request)) return sendJson(response, 200, freshToken(`token-${signIns()}`));
      if (Number(request.token.slice('token-'.length)) <= times)
        return sendError(response, 401, 'The token has expired');
      return sendJson(response, 200, []);
    };
  const signIns = (): number => server.requests.filter(isSignIn).length;
  const list = async (times: number) => {
    server = await FakeServer.start(rejecting(times));
    return runBriefly(user, ['stack', 'list'], { env: { ...signedIn, ALM_URL: server.url } });
  };

  it('a rejected token is renewed once with credentials in the environment', async () => {
    const { code, stdout } = await list(1);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^STACK ID/)]);
    expect(signIns()).toBe(2);
  });

  it('a rejected token is not renewed forever', async () => {
    const { code, stdout } = await list(1000);
    expect([code, stdout]).toEqual([4, '']);
    expect(signIns()).toBeLessThan(4);
  });
});

describe('a login in a native store (fake pass)', () => {
  let fakePrograms: FakePrograms;
  beforeEach(async () => {
    fakePrograms = new FakePrograms(['pass', 'gpg']);
    initPass(user.home);
    let issued = 0;
    server = await FakeServer.start((request, response) =>
      isSignIn(request)
        ? sendJson(response, 200, freshToken(`token-${(issued += 1)}`))
        : sendJson(response, 200, []),
    );
    const { code, stderr } = await run('login', '--url', server.url);
    expect([code, stderr]).toEqual([0, expect.stringContaining('saved in pass')]);
    return () => fakePrograms.close();
  });

  const run = (...args: string[]) =>
    runBriefly(user, args, {
      env: { PATH: fakePrograms.path, ALM_CREDENTIAL_STORE: 'pass', ...forLogin(args) },
    });
  /** Credentials for login only; other commands must read them from the store. */
  const forLogin = ([word]: readonly string[]) => (word === 'login' ? signedIn : {});
  const entry = (): string => join(user.home, '.password-store', 'alm', 'default.gpg');
  const stored = (): Record<string, unknown> =>
    JSON.parse(readFileSync(entry(), 'utf8')) as Record<string, unknown>;
  const passThat = (does: string): string =>
    `file="$HOME/.password-store/$(eval echo "\\\${$#}").gpg"\ncase "$1" in ${does} rm) rm -f "$file" ;; esac`;
  const expire = (): void =>
    writeFileSync(entry(), JSON.stringify({ ...stored(), expires: '2020-01-01T00:00:00.000Z' }));

  it('concurrent commands renew an expired token, and the login stays in the store', async () => {
    // Write entries atomically: the shell's ">" leaves an empty file for a moment, and this tests alm.
    fakePrograms.replace(
      'pass',
      passThat('insert) cat > "$file.$$" && mv "$file.$$" "$file" ;; show) cat "$file" ;;'),
    );
    expire();
    const all = await Promise.all(Array.from({ length: 5 }, () => run('stack', 'list')));
    expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, '']));
    expect(stored()).toMatchObject({ url: server.url, signIn: { username: signedIn.ALM_USERNAME } });
    expect(Date.parse(String(stored().expires))).toBeGreaterThan(Date.now());
    expect((await run('stack', 'list')).code).toBe(0);
  });

  it('a login stays unchanged when the store does not return what was written', async () => {
    const before = stored();
    // Returns something else for the new entry, and the right content once the previous entry is restored.
    fakePrograms.replace(
      'pass',
      passThat(`
  show) if [ -f "$HOME/forgets" ]; then echo nothing; else cat "$file"; fi ;;
  insert) cat > "$file"; if [ -f "$HOME/forgets" ]; then rm "$HOME/forgets"; else touch "$HOME/forgets"; fi ;;`),
    );
    const again = await run('login', '--url', server.url);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('cannot be read back')]);
    expect(stored()).toEqual(before);
    expect((await run('stack', 'list')).code).toBe(0);
  });
});
