import { describe, expect, it } from 'vitest';
import { type ServedAlmanac, useServedAlmanac } from '../served-almanac.ts';
import { sendExactly } from './session-browser.ts';

const visit = (almanac: ServedAlmanac, accept: string) =>
  sendExactly(`${almanac.url}/`, { method: 'GET', headers: { accept } });
const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
const line = 'Almanac. API reference: /docs\n';

describe('the root path', () => {
  const almanac = useServedAlmanac({ environment: { ALM_BASE_URL: 'https://almanac.example/prefix' } });

  it('leads browsers to the console', async () => {
    const { status, headers } = await visit(almanac, browser);
    expect([status, headers.location, headers.vary]).toEqual([303, '/prefix/console/', 'Accept']);
  });

  it('is one line of text for programs', async () => {
    for (const accept of ['*/*', 'application/json'])
      expect(await visit(almanac, accept)).toMatchObject({ status: 200, text: line });
  });
});

describe('with ALM_CONSOLE=off', () => {
  const almanac = useServedAlmanac({ environment: { ALM_CONSOLE: 'off' } });

  it('the root path is one line of text for all, and the console does not exist', async () => {
    expect(await visit(almanac, browser)).toMatchObject({ status: 200, text: line });
    expect((await almanac.call('GET', '/console/')).status).toBe(404);
  });
});
