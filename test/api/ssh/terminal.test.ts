import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessCaller } from '../access/access-caller.ts';
import { TerminalClient } from './terminal-client.ts';
import { SshWorld } from './world.ts';

let world: SshWorld;
beforeAll(async () => {
  world = await SshWorld.start();
});
afterAll(() => world.close());

const open = (ticket: unknown) =>
  TerminalClient.open(`${world.almanac.url}/v3/alm/terminal?ticket=${String(ticket)}`);

describe('a terminal', () => {
  it('is a shell on the instance: it runs input and reports its exit code', async () => {
    const client = await world.terminal({ cols: 132, rows: 43 });
    await client.sees('welcome 132x43');
    client.type('echo $((6 * 7)) é世\n');
    await client.sees('42 é世');
    client.sendJson({ resize: [100, 30] });
    await client.sees('size 100x30');
    client.type('exit 5\n');
    expect(await client.closes()).toBe(1000);
    const { id } = await world.firstInstance();
    const { nickname } = await world.almanac.describe(world.stackId);
    const title = expect.stringMatching(`^${String(nickname)}: ${id} \\(ec2-user@[\\d.]+\\)$`);
    expect(client.texts.map((text) => JSON.parse(text))).toEqual([{ ready: { title } }, { exit: 5 }]);
  });

  it('is recorded in the events and in the audit log when it opens and when it ends', async () => {
    const client = await world.terminal();
    await client.sees('welcome');
    client.type('exit\n');
    await client.closes();
    const { id } = await world.firstInstance();
    const place = `instance ${id} \\(ec2-user@[\\d.]+\\)`;
    const [opened, ended] = (await world.events()).slice(-2);
    expect(opened).toMatch(new RegExp(`^root opened a terminal on ${place}\\.$`));
    expect(ended).toMatch(new RegExp(`^root had a terminal on ${place} for [\\d.]+ s, exit code 0\\.$`));
    const [begin, end] = (await world.auditDetails()).slice(-2);
    expect(begin).toMatch(new RegExp(`^opens a terminal on ${place}$`));
    expect(end).toMatch(new RegExp(`^had a terminal on ${place} for [\\d.]+ s, exit code 0$`));
  });

  it('ignores invalid messages', async () => {
    const client = await world.terminal();
    await client.receives('ready');
    for (const text of [
      '{',
      '[]',
      '{"resize":[0,1]}',
      '{"resize":["80","24"]}',
      '{"resize":[1e9,2]}',
      'null',
    ])
      client.socket.send(text);
    client.type('echo still here\n');
    await client.sees('still here');
    expect(client.shown).not.toContain('size ');
    client.socket.close();
  });

  it('applies backpressure to a slow reader, and loses nothing', async () => {
    const client = await world.terminal();
    await client.receives('ready');
    const before = world.host.bytesSent;
    const total = 60_000_000;
    client.socket.pause();
    client.type(`head -c ${total} /dev/zero\n`);
    await expect.poll(() => world.host.bytesSent - before).toBeGreaterThan(1_000_000);
    // Output stops when all buffers are full: the count no longer changes between polls.
    let sent = -1;
    await expect
      .poll(() => [sent === world.host.bytesSent, (sent = world.host.bytesSent)][0], { interval: 300 })
      .toBe(true);
    expect(sent - before).toBeLessThan(total / 2);
    client.socket.resume();
    await expect.poll(() => client.bytes).toBeGreaterThanOrEqual(total);
    client.socket.close();
  });

  it('ends on the instance when the client disconnects', async () => {
    const client = await world.terminal();
    await client.sees('welcome');
    client.socket.terminate();
    await expect.poll(() => world.host.connections).toBe(0);
    await expect
      .poll(async () => (await world.events()).at(-1))
      .toMatch(/ disconnected: The client closed the connection\.$/);
  });

  it('that cannot be opened reports the reason', async () => {
    world.configure({ dial: () => Promise.reject(new Error('connect ETIMEDOUT')) });
    const client = await world.terminal();
    expect(await client.closes()).toBe(1011);
    world.configure({});
    expect(client.texts).toEqual([
      // The failure, and what to check.
      expect.stringMatching(/"error":"Instance .* cannot be reached .*ETIMEDOUT\. .+"/),
    ]);
  });
});

describe('a ticket', () => {
  it('opens exactly one terminal', async () => {
    const { status, body, headers } = await world.ticket();
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      ticket: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
      url: `/v3/alm/terminal?ticket=${String(body.ticket)}`,
      page: `/terminal?ticket=${String(body.ticket)}`,
      expires_in: 60,
    });
    const attempts = await Promise.allSettled([open(body.ticket), open(body.ticket), open(body.ticket)]);
    const opened = attempts.filter((attempt) => attempt.status === 'fulfilled');
    expect(opened).toHaveLength(1);
    for (const { value } of opened) value.socket.close();
    await expect(open(body.ticket)).rejects.toThrow('refused with 401');
  });

  it('is stored as a digest, and expires', async () => {
    const { ticket } = (await world.ticket()).body;
    const { query } = world.almanac.service.database;
    const rows = await query.selectFrom('terminal_tickets').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(ticket);
    await query.updateTable('terminal_tickets').set({ expires_at: 1 }).execute();
    await expect(open(ticket)).rejects.toThrow('refused with 401');
    await world.ticket();
    const left = await query.selectFrom('terminal_tickets').select('expires_at').execute();
    expect(left.filter(({ expires_at }) => expires_at === 1)).toEqual([]);
  });

  it('that is unknown or missing opens nothing', async () => {
    await expect(open('x'.repeat(43))).rejects.toThrow('refused with 401');
    await expect(open('x'.repeat(1000))).rejects.toThrow('refused with 400');
    await expect(open('')).rejects.toThrow('refused with 400');
    const plain = await world.almanac.call('GET', '/v3/alm/terminal?ticket=x');
    expect(plain.status).toBe(400);
    expect(plain.body.message).toBe('This route requires a WebSocket connection');
  });

  it('is refused without permission to read the key, and for invalid targets', async () => {
    const { almanac, stackId } = world;
    const user = await new AccessCaller(almanac).makeUser('without-role');
    expect((await world.ticket({}, user.token)).status).toBe(404);
    expect((await world.ticket({}, await almanac.stackToken(stackId))).status).toBe(403);
    expect((await world.ticket({}, await almanac.clientToken())).status).toBe(403);
    expect((await world.ticket({}, await almanac.otherAccountToken())).status).toBe(404);
    expect((await world.ticket({ ip: '192.0.2.7' })).status).toBe(404);
    expect((await world.ticket({ cols: 0 })).status).toBe(400);
    expect((await world.ticket({ user: '$(id)' })).status).toBe(400);
  });
});
