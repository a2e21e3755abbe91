import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { isShed } from '../../../src/contract/statuses.ts';
import { v2Routes } from '../../../src/contract/v2.ts';
import { v3Routes } from '../../../src/contract/v3.ts';
import { measureLag } from '../../../src/server/operational/overload.ts';
import { bearer, serveStubs } from '../served.ts';

const serveWithLag = async (maxLag = 1000) => {
  const state = { lag: 0 };
  const meter = { lag: () => state.lag, stop: () => {} };
  return { state, served: await serveStubs({ overload: { maxLag, meter } }) };
};

describe('a server whose event loop is late', () => {
  it('refuses requests with 503, the usual error body and when to try again', async () => {
    const { state, served } = await serveWithLag();
    state.lag = 1001;
    const response = await served.fetch('/v3/item/1', { headers: bearer('good') });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toEqual({
      code: '9003',
      error: 'unavailable',
      message: 'The server is overloaded',
      description: 'Nothing was changed. Try again in 2 seconds.',
      request_id: response.headers.get('x-request-id'),
    });
  });

  it('refuses before it checks the token, and also unknown paths', async () => {
    const { state, served } = await serveWithLag();
    state.lag = 5000;
    expect((await served.fetch('/v3/item/1', { headers: bearer('wrong') })).status).toBe(503);
    expect((await served.fetch('/v3/made-up-address')).status).toBe(503);
  });

  it('still answers monitoring, and counts what it refused', async () => {
    const { state, served } = await serveWithLag();
    state.lag = 5000;
    for (let each = 0; each < 3; each += 1) await served.fetch('/v3/item/1');
    const probes = await Promise.all(['/healthz', '/readyz', '/metrics'].map((path) => served.fetch(path)));
    expect(probes.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await probes[2]?.text()).toContain('almanac_requests_shed_total 3');
  });

  it('still answers agents, which report what happens to instances', () => {
    const routes = [...v2Routes, ...v3Routes];
    const ofAgents = routes.filter(({ access }) => access === 'agent');
    expect(ofAgents.length).toBeGreaterThan(5);
    expect(ofAgents.filter(isShed)).toEqual([]);
    expect(routes.filter(({ access }) => typeof access === 'object').every(isShed)).toBe(true);
  });

  it('accepts requests again when it is no longer late', async () => {
    const { state, served } = await serveWithLag();
    state.lag = 5000;
    await served.fetch('/v3/item/1', { headers: bearer('good') });
    state.lag = 1000;
    expect((await served.fetch('/v3/item/1', { headers: bearer('good') })).status).toBe(200);
  });
});

describe('the delay of the event loop', () => {
  it('is the time by which a timer was late, the last two times: a single pause does not count', () => {
    const clock = new VirtualClock();
    let late = 0;
    const meter = measureLag(clock, () => clock.now() + late);
    clock.advance(100);
    expect(meter.lag()).toBe(0);
    late = 1500;
    clock.advance(100);
    expect(meter.lag()).toBe(0);
    late = 4000;
    clock.advance(100);
    expect(meter.lag()).toBe(1500);
    clock.advance(100);
    expect(meter.lag()).toBe(0);
  });

  it('is not measured any more after the meter was stopped', () => {
    const clock = new VirtualClock();
    let late = 0;
    const meter = measureLag(clock, () => clock.now() + late);
    meter.stop();
    late = 1500;
    clock.advance(1000);
    expect(meter.lag()).toBe(0);
  });
});
