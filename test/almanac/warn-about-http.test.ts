import { expect, it } from 'vitest';
import { warnAboutHttp } from '../../src/almanac/warn-about-http.ts';
import { readConfig } from '../../src/basics/config.ts';
import { recordLog } from '../api/served-almanac.ts';

it.each([
  [{ ALM_HOST: '0.0.0.0' }, 1],
  [{ ALM_HOST: '192.0.2.1', ALM_BASE_URL: 'http://almanac.example' }, 1],
  [{ ALM_HOST: '0.0.0.0', ALM_BASE_URL: 'https://almanac.example' }, 0],
  [{ ALM_HOST: '0.0.0.0', ALM_TRUST_PROXY: '10.0.0.1' }, 0],
  [{ ALM_HOST: '127.0.0.1' }, 0],
  [{ ALM_HOST: '::1' }, 0],
  [{}, 0],
])('with %j, the log has %i warnings about http without encryption', (environment, count) => {
  const { log, lines } = recordLog();
  warnAboutHttp(readConfig(environment), log);
  expect(lines.filter((line) => line.includes('serving http without encryption'))).toHaveLength(count);
});
