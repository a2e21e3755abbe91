import { connect } from 'node:net';
import { callAsLogin, routesWithBody } from './routes.mjs';

/** Longer than the server waits for a request (60 s) and looks for late ones (every 30 s). */
const patienceMs = 100_000;
const stalledCount = 200;

const deep = (open, close, levels) => open.repeat(levels) + close.repeat(levels);
const utf8 = (text) => Buffer.from(text);

/** Each as the bytes of a body, with a type. */
const wholeBodies = {
  empty: ['application/json', utf8('')],
  'a number': ['application/json', utf8('7')],
  null: ['application/json', utf8('null')],
  'text that ends early': ['application/json', utf8('{"a": {"b": [1, "x')],
  'bytes that are not UTF-8': ['application/json', Buffer.from('7b2261223a22fffec328227d', 'hex')],
  'half of a surrogate pair': [
    'application/json',
    utf8('{"nickname":"\\ud800","name":"\\udfff","username":"\\ud83d"}'),
  ],
  'NUL characters': [
    'application/json',
    utf8('{"nickname":"a\\u0000b","name":"\\u0000","username":"\\u0000","password":"\\u0000\\u0000"}'),
  ],
  'numbers beyond a double': [
    'application/json',
    utf8('{"a":1e400,"limit":-1e400,"count":123456789012345678901234567890}'),
  ],
  'the same name twice': ['application/json', utf8('{"name":"a","name":"b","nickname":1,"nickname":2}')],
  'names of the prototype': [
    'application/json',
    utf8('{"__proto__":{"a":1},"constructor":{"prototype":{}}}'),
  ],
  'deep arrays': ['application/json', utf8(deep('[', ']', 200_000))],
  'deep objects': ['application/json', utf8(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
  'a deep YAML template': ['text/yaml', utf8(deep('[', ']', 100_000))],
  'YAML with aliases of aliases': [
    'text/yaml',
    utf8(
      `a0: &a0 [x]\n${Array.from({ length: 60 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`).join('\n')}\n`,
    ),
  ],
  'YAML with tags': [
    'text/yaml',
    utf8('a: !!js/function "x"\nb: !!binary "////"\nc: !<tag:yaml.org,2002:set> {x}\n'),
  ],
  'a huge text': ['application/json', utf8(JSON.stringify({ name: 'x'.repeat(900_000) }))],
  'many members': [
    'application/json',
    utf8(`{${Array.from({ length: 80_000 }, (_, i) => `"m${i}":1`).join(',')}}`),
  ],
  'more than is taken': ['application/json', Buffer.alloc(3 * 1024 * 1024, 0x20)],
  'a form with many fields': ['application/x-www-form-urlencoded', utf8('a=1&'.repeat(200_000))],
  'a form with broken escapes': ['application/x-www-form-urlencoded', utf8('name=%E0%A4%A&nickname=%&x=%ff')],
  'a type that nobody knows': ['application/x-unknown; charset=\u00ff', utf8('x')],
};

const answerMs = 30_000;
/** The server may close the connection of a client that sends what it does not read. */
const mayBeCut = new Set(['more than is taken', 'a form with many fields']);

/** Returns the status, or 0 if there was no answer in time. */
async function statusOf({ url, token, route, type, body }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  try {
    const reply = await fetch(url + route.path, {
      method: route.method,
      headers,
      body,
      signal: AbortSignal.timeout(answerMs),
    });
    await reply.arrayBuffer();
    return reply.status;
  } catch {
    return 0;
  }
}

/** Texts of connections that end in the middle of a request or break its grammar. */
const brokenRequests = ({ method, path }, token) => {
  const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  return [
    `${head}Content-Length: 100\r\n\r\n{"a":`,
    `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n`,
    `${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`,
    `${head}Content-Length: -1\r\n\r\n{}`,
    `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    `${head}X: ${'y'.repeat(70_000)}\r\n\r\n`,
  ];
};

const sendAndHangUp = ({ hostname, port }, text) =>
  new Promise((resolve) => {
    let received = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.end(text));
    socket.on('data', (chunk) => (received += chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0)));
  });

/** Opens a connection that sends the start of a request and then nothing. `closed` resolves when the server ends it. */
const stall = ({ hostname, port }, { method, path }, token) => {
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  const closed = new Promise((resolve) => {
    socket.on('data', () => {});
    socket.on('error', () => {});
    socket.on('close', () => resolve(true));
  });
  return { socket, closed };
};

/** Returns how many of them the server did not end. */
async function stalledForever(stalled) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  const ended = await Promise.all(stalled.map(({ closed }) => Promise.race([closed, late])));
  clearTimeout(timer);
  for (const { socket } of stalled) socket.destroy();
  return ended.filter((isEnded) => !isEnded).length;
}

/** Returns whether every route answered all of them without a 5xx, and slow clients held nobody up. */
export async function sendHostileBodies(url, login) {
  const { token, openapi } = await callAsLogin(url, login);
  const routes = routesWithBody(openapi);
  const stalled = Array.from({ length: stalledCount }, (_, i) =>
    stall(new URL(url), routes[i % routes.length], token),
  );
  const wrong = [];
  for (const route of routes) {
    for (const [name, [type, body]] of Object.entries(wholeBodies)) {
      const status = await statusOf({ url, token, route, type, body });
      if (status >= 500 || (status === 0 && !mayBeCut.has(name)))
        wrong.push(`${status || 'no answer'} for ${route.method} ${route.path} with ${name}`);
    }
    for (const text of brokenRequests(route, token)) {
      const status = await sendAndHangUp(new URL(url), text);
      if (status >= 500)
        wrong.push(`${status} for ${route.method} ${route.path} with ${JSON.stringify(text.slice(-40))}`);
    }
  }
  const unended = await stalledForever(stalled);
  if (unended > 0)
    wrong.push(`${unended} of ${stalledCount} stalled requests were still open after ${patienceMs / 1000} s`);
  console.log(
    `${routes.length} routes, each with ${Object.keys(wholeBodies).length} hostile bodies, beside ${stalledCount} stalled requests`,
  );
  for (const line of wrong) console.error(line);
  return wrong.length === 0;
}
