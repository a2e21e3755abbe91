import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { VirtualClock } from '../../../../src/basics/clock.ts';
import { eventually } from '../../../http.ts';
import { useBrowser } from '../harness.ts';
import { faultsOf, type State } from './states.ts';

/** Stands still, so that operations stay where they are. */
const clock = new VirtualClock(Date.now());
const browsing = useBrowser({ sandboxSpeed: 1, clock });
const { almanac } = browsing;

const template = parse(readFileSync('examples/balanced-with-database.yaml', 'utf8')) as object;

/** Moves the clock until the answer has the text. */
const until = (path: string, text: string) =>
  eventually(
    async () => {
      clock.advance(1000);
      return JSON.stringify((await almanac.call('GET', path, { token: await almanac.userToken() })).body);
    },
    (found) => found.includes(text),
    60,
  );

const shows = (at: string, text: string | RegExp): State => ({
  is: `${at}: ${String(text)}`,
  at,
  reach: (page) => page.getByText(text).locator('visible=true').first().waitFor(),
});

it('a stack that is created, complete and deleted, with a database, never violates WCAG 2.2 AA or scrolls sideways', async () => {
  const id = await almanac.applyTemplate(template);
  const path = `/v3/alm/stack/${id}`;
  const page = await browsing.openPage({ path: null });
  const found = async (...states: State[]): Promise<void> =>
    expect(await faultsOf(page, almanac.url, states)).toEqual([]);

  await until(`${path}/resources`, '"complete"');
  await found(
    shows('', /left|Creating/),
    shows(`stack/${id}`, /of \d+ resources · /),
    shows(`stack/${id}?show=all`, /of \d+ resources · /),
    shows(`stack/${id}/instances`, /No instances|Layer/),
  );
  await until(path, 'CREATE_COMPLETE');
  await found(
    shows(`stack/${id}?done`, 'Outputs'),
    shows(`stack/${id}/instances?done`, 'Databases'),
    shows(`stack/${id}/settings`, /^Type/),
  );
  await almanac.call('DELETE', path, { token: await almanac.userToken() });
  await found(
    shows(`stack/${id}?deleted`, /Deleting/),
    shows(`stack/${id}/settings?deleted`, 'The stack is being deleted.'),
    shows('?deleted', /Deleting/),
  );
});
