import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Serves the name of its code. On SIGTERM it finishes open requests. */
const server = `
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
const page = readFileSync(new URL('page', import.meta.url), 'utf8');
if (page === 'broken') { console.error('the page is broken', process.env.DATABASE_PASSWORD); process.exit(3); }
const server = createServer((request, reply) => {
  if (request.url === '/end') process.exit(1);
  if (request.url === '/write') console.log('written with', process.env.DATABASE_PASSWORD);
  if (request.url === '/environment') return reply.end(JSON.stringify(process.env));
  setTimeout(() => reply.end(page), request.url === '/slow' ? 1500 : 0);
}).listen(Number(process.env.PORT));
process.on('SIGTERM', () => { server.close(() => process.exit(0)); server.closeIdleConnections(); });
`;

/** A git repository with an application. Each page has a tag. */
export class CodeRepository {
  readonly path = mkdtempSync(join(tmpdir(), 'almanac-code-'));

  constructor(...pages: string[]) {
    this.#git('init', '--quiet');
    writeFileSync(join(this.path, 'server.mjs'), server);
    symlinkSync('/mnt/storage', join(this.path, 'storage'));
    for (const page of pages) {
      writeFileSync(join(this.path, 'page'), page);
      this.#git('add', '.');
      this.#git('commit', '--quiet', '-m', page);
      this.#git('tag', page);
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  #git(...argv: string[]): void {
    const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
    execFileSync('git', [...author, ...argv], { cwd: this.path });
  }
}
