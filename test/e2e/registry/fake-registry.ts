import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Answers as a registry with token authentication does, at the address in its configuration. */
const program = `#!${process.execPath}
const { readFileSync } = require('node:fs');
const { createServer } = require('node:http');
if (process.argv[2] === '--version') {
  console.log('docker-registry github.com/docker/distribution 2.8.2');
  process.exit(0);
}
const text = readFileSync(process.argv[3], 'utf8');
if (process.env.FAKE_REGISTRY_FAILS) {
  console.error('level=fatal msg="the disk is full"');
  process.exit(1);
}
const valueOf = (name) => new RegExp('\\\\b' + name + ': *"?([^"\\\\s,}]+)').exec(text)[1];
const [host, port] = [valueOf('addr').replace(/:\\d+$/, ''), valueOf('addr').replace(/^.*:/, '')];
createServer((request, reply) => {
  reply.writeHead(401, { 'www-authenticate': 'Bearer realm="' + valueOf('realm') + '"' }).end();
}).listen(Number(port), host);
`;

/** A directory with a stand-in for docker-registry, which alone may be in the PATH. */
export function makeFakeRegistry(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'fake-registry-'));
  writeFileSync(join(path, 'docker-registry'), program, { mode: 0o755 });
  // Whatever a package.json in a directory above says.
  writeFileSync(join(path, 'package.json'), JSON.stringify({ type: 'commonjs' }));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
