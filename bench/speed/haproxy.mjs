// A load balancer in front of several servers, set up as docs/operating.md says.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });

const configuration = (port, urls) => `
defaults
  mode http
  timeout connect 2s
  timeout client 660s
  timeout server 660s
  timeout check 5s
  retries 3
  option redispatch 1
  retry-on all-retryable-errors

frontend almanac
  bind 127.0.0.1:${port}
  # A write is sent again only if its Idempotency-Key makes that safe.
  http-request disable-l7-retry unless { method GET HEAD } or { req.hdr(Idempotency-Key) -m found }
  default_backend servers

backend servers
  balance leastconn
  option httpchk GET /readyz
  default-server check inter 2s fall 3 rise 1 on-marked-down shutdown-sessions
${urls.map((url, index) => `  server s${index} ${new URL(url).host}`).join('\n')}
`;

function install() {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore' });
  } catch {
    console.error("bench: installing Debian's haproxy");
    execFileSync('sh', [
      '-c',
      'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends haproxy',
    ]);
  }
}

async function answers(url) {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

export async function startBalancer(urls) {
  install();
  const place = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
  const port = await freePort();
  const file = join(place, 'haproxy.cfg');
  writeFileSync(file, configuration(port, urls));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url))) await setTimeout(50);
  const stop = () => {
    child.kill('SIGTERM');
    rmSync(place, { recursive: true });
  };
  return { url, pid: child.pid, stop };
}
