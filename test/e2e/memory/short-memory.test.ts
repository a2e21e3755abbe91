import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';
import { oneServer } from '../../world.ts';
import { AlmanacProcess, knownLogin } from '../almanac-process.ts';
import { makeControlGroup } from './control-group.ts';

const group = makeControlGroup(128);

let place: TestPlace;
let server: AlmanacProcess;
beforeAll(async () => {
  if (!group) return;
  place = await makeTestPlace();
  // A busy machine must not end the documents.
  const settings = { ...group.settings, ALM_DOCUMENT_SECONDS: '60' };
  server = await AlmanacProcess.serve(place, { ...knownLogin, ...settings });
});
afterAll(async () => {
  if (!group) return;
  await place.remove();
  group.remove();
});

const withVariables = (count: number, length: number) => {
  const [layer] = oneServer().configurations;
  const names = Array.from({ length: count }, (_, index) => [`V${index}`, 'x'.repeat(length)]);
  const container = { container_env_vars: Object.fromEntries(names) };
  return { ...oneServer(), configurations: [{ ...layer, container }] };
};
const preview = (json: object) => server.call('POST', '/v3/alm/template/preview', { json });

it.skipIf(!group)(
  'in a control group of 128 MB, ten previews at once of a template of 900 kB get 200 or 503 with Retry-After, and the server lives',
  async () => {
    const large = withVariables(9_000, 90);
    const answers = await Promise.all(Array.from({ length: 10 }, () => preview(large)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    for (const { status, headers, body } of answers) {
      if (status === 200) continue;
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(body).toMatchObject({ code: '9003', request_id: expect.stringMatching(/./) });
    }
    const { text } = await server.call('GET', '/metrics');
    expect(text).toMatch(/almanac_memory_refused_total [1-9]/);
    expect((await preview(oneServer())).status).toBe(200);
  },
);
