import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queries } from '../../../src/console/api/read.ts';
import { type AccountMessage, followAccount } from '../../../src/console/stacks/follow-account.ts';
import { applyChanges, listCursor, rereadStackList } from '../../../src/console/stacks/stack-list.ts';
import { BrowserStandIn } from '../live/browser-stand-in.ts';

// Modules read the address of the page when they are loaded.
vi.hoisted(() => vi.stubGlobal('location', new URL('http://almanac.test/console/')));

const second = 1000;
let browser: BrowserStandIn;
let stop: AbortController;
let messages: AccountMessage[];

beforeEach(() => {
  browser = new BrowserStandIn();
  stop = new AbortController();
  messages = [];
});

afterEach(() => {
  stop.abort();
  queries.clear();
  browser.restore();
});

/** A tab that remembers the position as the page does. */
const tab = (position: string | null) => ({
  position: () => position ?? listCursor(),
  forgetPosition: () => {
    position = null;
  },
  tell: (message: AccountMessage) => {
    messages.push(message);
  },
});

describe('the stream of the account', () => {
  it('tells the position that comes with heartbeats, and the changes', async () => {
    void followAccount(tab('p1'), stop.signal);
    await browser.pass(0);
    expect(browser.last.url.search).toBe('?after=p1');
    browser.last.send('event: deleted\ndata: {"stack_id":"s"}\n\n');
    browser.last.send('id: p2\nevent: alive\ndata: {"cursor":"p2"}\n\n');
    await browser.pass(0);
    expect(messages[0]).toEqual({ kind: 'begin', position: 'p1' });
    expect(messages).toContainEqual({ kind: 'change', change: { stackId: 's', row: null } });
    expect(messages).toContainEqual({ kind: 'alive', position: 'p2' });
  });

  it('whose position is too old reads the list again before it continues', async () => {
    browser.refusals.push(400);
    browser.listReply = { body: '[]', cursor: 'fresh' };
    void followAccount(tab('old'), stop.signal);
    await browser.pass(second);
    expect(browser.opened.map(({ url }) => url.search)).toEqual(['?after=fresh']);
    expect(messages).toContainEqual({ kind: 'lost' });
  });

  it('that the roles do not allow is not asked for again', async () => {
    browser.refusals.push(403);
    await followAccount(tab(null), stop.signal);
    await browser.pass(60 * second);
    expect(browser.opened).toEqual([]);
    expect(messages.at(-1)).toEqual({ kind: 'refused' });
  });
});

it('a change that arrives while the list is read is in the list, although the answer is older', async () => {
  browser.listReply.body = '[{"stack_id":"s"},{"stack_id":"t"}]';
  const reading = rereadStackList();
  applyChanges([{ stackId: 's', row: null }]);
  expect(await reading).toEqual([{ stack_id: 't' }]);
});
