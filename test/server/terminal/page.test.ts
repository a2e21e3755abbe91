import { describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../../api/served-almanac.ts';

const almanac = useServedAlmanac({ environment: { ALM_BASE_URL: 'https://alm.example/under' } });

describe('the terminal page', () => {
  it('the terminal page loads nothing from other hosts, runs no inline scripts and cannot be framed', async () => {
    const page = await almanac.call('GET', '/terminal?ticket=x');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const policy = page.headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy.split('; ')).toContain(rule);
    expect(page.text).not.toMatch(/<script>|\son\w+=|style=/);
    expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it('the terminal page is labelled for screen readers', async () => {
    const { text } = await almanac.call('GET', '/terminal');
    expect(text).toContain('lang="en"');
    expect(text).toContain('aria-label="Terminal on the instance"');
    expect(text).toContain('role="status"');
  });

  it('the terminal page finds its files under the path prefix of the server', async () => {
    const { text } = await almanac.call('GET', '/terminal');
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    const files = addresses.filter((address) => !address.startsWith('data:'));
    expect(files).toHaveLength(5);
    for (const file of files) {
      expect(file).toMatch(/^\/under\/terminal\//);
      const answer = await almanac.call('GET', file.replace('/under', ''));
      expect([file, answer.status]).toEqual([file, 200]);
      const type = file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
      expect(answer.headers.get('content-type')).toBe(type);
      expect(answer.text.length).toBeGreaterThan(100);
    }
  });

  it.each(['nothing.js', '..%2F..%2Fpackage.json', 'index.html', '__proto__', 'xterm.js.map'])(
    'the terminal page has no file %s',
    async (name) => {
      expect((await almanac.call('GET', `/terminal/${name}`)).status).toBe(404);
    },
  );
});
