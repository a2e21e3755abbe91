// A closed loop of clients over kept connections. It parses only what it must: the client shares the machine with the server.
import { connect } from 'node:net';
import { cpuMs, databaseCpuMs } from './server.mjs';

const headerEnd = Buffer.from('\r\n\r\n');

const requestText = ({ method = 'GET', path, token, body, headers = {} }, host) =>
  [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
    '',
    body ?? '',
  ].join('\r\n');

/** One connection; `ask` resolves with the status and the body. */
export function openClient(url) {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let received = Buffer.alloc(0);
  let waiting = null;
  const read = () => {
    const end = received.indexOf(headerEnd);
    if (end < 0 || !waiting) return;
    const head = received.latin1Slice(0, end);
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (received.length < end + 4 + length) return;
    const body = received.subarray(end + 4, end + 4 + length);
    received = received.subarray(end + 4 + length);
    const { done } = waiting;
    waiting = null;
    done({ status: Number(head.slice(9, 12)), head, body });
  };
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    read();
  });
  socket.on('error', (error) => waiting?.fail(error));
  socket.on('close', () => waiting?.fail(new Error('the server closed the connection')));
  return {
    ask: (request) =>
      new Promise((done, fail) => {
        waiting = { done, fail };
        socket.write(requestText(request, host));
      }),
    close: () => socket.destroy(),
  };
}

/** The JSON of a reply; throws if it is an error. */
export function jsonOf({ method = 'GET', path }, { status, body }) {
  const text = body.toString();
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
  return text === '' ? null : JSON.parse(text);
}

/** JSON of one request; for set-up. */
export async function call(url, request) {
  const client = openClient(url);
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  const reply = await client.ask({ ...request, ...body });
  client.close();
  return jsonOf(request, reply);
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Clients ask one request after the other until the time is over. `next(n)` makes the n-th request. */
export async function load({ url, pid }, next, { clients = 10, seconds = 4 } = {}) {
  const times = [];
  let sent = 0;
  const [cpu, databaseCpu, started] = [cpuMs(pid), databaseCpuMs(), performance.now()];
  const deadline = started + seconds * 1000;
  const run = async () => {
    const client = openClient(url);
    while (performance.now() < deadline) {
      const before = performance.now();
      const request = next(sent++);
      const { status, body } = await client.ask(request);
      times.push(performance.now() - before);
      if (status >= 400) throw new Error(`${request.path}: ${status} ${body.toString().slice(0, 300)}`);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: clients }, run));
  const took = (performance.now() - started) / 1000;
  const sorted = times.toSorted((a, b) => a - b);
  return {
    perSecond: times.length / took,
    cpu: (cpuMs(pid) - cpu) / times.length,
    databaseCpu: (databaseCpuMs() - databaseCpu) / times.length,
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
  };
}
