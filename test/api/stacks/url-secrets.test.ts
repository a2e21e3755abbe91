import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { v2Routes } from '../../../src/contract/v2.ts';
import { v3Routes } from '../../../src/contract/v3.ts';
import { writeBackup } from '../../../src/store/database/backup.ts';
import { onPostgres } from '../../open-database.ts';
import { oneServer } from '../../world.ts';
import { type Json, recordLog, useServedAlmanac } from '../served-almanac.ts';

/** In every secret of this file, and nowhere else. */
const marker = 'marker4715';
const { log, lines: logged } = recordLog();
const almanac = useServedAlmanac({ log });
let token: string;
let clientToken: string;
beforeAll(async () => {
  token = await almanac.userToken();
  clientToken = await almanac.clientToken();
});

const repository = `https://shop:pass-${marker}@git.example.com/shop.git?access_token=query-${marker}`;
const image = `https://user-${marker}@registry.example.com/shop/web:1`;
const shownRepository = 'https://shop:${sealed}@git.example.com/shop.git?access_token=${sealed}';
const shownImage = 'https://${sealed}@registry.example.com/shop/web:1';

const template = (container: object) => {
  const [layer] = oneServer().configurations;
  return { ...oneServer(), configurations: [{ ...layer, container }] };
};
const withUrls = template({ container_image: image, container_git_repo: repository });

const applied = async (document: object) => {
  const id = await almanac.applyTemplate(document);
  await almanac.waitFor(id, 'CREATE_COMPLETE');
  return id;
};
const update = (id: string, json: object) => almanac.call('PUT', `/v3/alm/template/${id}`, { token, json });
const agentConfig = async (id: string, flag = 'web0', by = clientToken) =>
  (await almanac.call('GET', `/v3/alm/agent/config?stack_id=${id}&flag=${flag}`, { token: by })).body;
const containerOf = async (id: string): Promise<Json | undefined> => {
  const { configuration } = await almanac.describe(id);
  return (configuration as { configurations: { container: Json }[] }).configurations[0]?.container;
};

/** Every reading route, except those that are for agents. */
const readAll = async (stackId: string): Promise<string> => {
  const texts: string[] = [];
  for (const { method, path, access, name } of [...v2Routes, ...v3Routes]) {
    if (method !== 'GET' || access === 'agent' || name.includes('Follow') || name.includes('OpenTerminal'))
      continue;
    for (const query of ['', `?stack_id=${stackId}`]) {
      const url = path.replace('{stack_id}', stackId).replace(/\{\w+\}/g, 'latest') + query;
      const authorization = `Bearer ${path.startsWith('/v2') ? clientToken : token}`;
      texts.push(await (await fetch(almanac.url + url, { headers: { authorization } })).text());
    }
  }
  return texts.join('\n');
};

const readFiles = async (): Promise<string> => {
  const backup = join(almanac.dataDirectory, 'backup.gz');
  await writeBackup(almanac.service.database, backup);
  const files = readdirSync(almanac.dataDirectory, { withFileTypes: true }).filter((entry) => entry.isFile());
  const contents = files.map(({ name }) => readFileSync(join(almanac.dataDirectory, name), 'latin1'));
  return [gunzipSync(readFileSync(backup)).toString('utf8'), ...contents].join('\n');
};

describe('a secret in a URL of a template', () => {
  it('is shown as ${sealed} inside the URL, and only agents receive it', async () => {
    const id = await applied(withUrls);
    expect(await containerOf(id)).toEqual({
      container_image: shownImage,
      container_git_repo: shownRepository,
    });
    expect(await agentConfig(id)).toMatchObject({
      container_image: image.replace('https://', ''),
      image: image.replace('https://', ''),
      container_git_repo: repository,
      gitRepo: repository,
    });
  });

  it('is kept by an update that sends the placeholder, also for another path on the same server', async () => {
    const id = await applied(withUrls);
    const before = await agentConfig(id);
    expect(await update(id, template((await containerOf(id)) ?? {}))).toMatchObject({ status: 202 });
    await almanac.waitFor(id, 'UPDATE_COMPLETE');
    expect(await agentConfig(id)).toEqual(before);

    const moved = shownRepository.replace('shop.git', 'other.git');
    const json = template({ container_image: shownImage, container_git_repo: moved });
    expect(await update(id, json)).toMatchObject({ status: 202 });
    expect(await agentConfig(id)).toMatchObject({ gitRepo: repository.replace('shop.git', 'other.git') });
  });

  it('is never sent to another server, user or scheme than the one it was given for', async () => {
    const id = await applied(withUrls);
    for (const url of [
      'https://shop:${sealed}@evil.example.com/shop.git',
      'http://shop:${sealed}@git.example.com/shop.git',
      'https://git.example.com.evil.example.com/shop.git?access_token=${sealed}',
    ]) {
      const answer = await update(id, template({ container_image: 'x', container_git_repo: url }));
      expect(answer).toMatchObject({ status: 400, body: { code: '1006' } });
      expect(answer.text).toContain('no secret is stored here; send its value');
    }
  });

  it.each([
    'https://shop:${sealed:web0/git_repo/https/git.example.com/shop/password}@evil.example.com/x.git',
    'https://evil.example.com/${sealed:web0/registry_password}',
    'https://${sealed}.evil.example.com/x.git',
    'https://git.example.com/${sealed}',
    'https://a:${use(web0.container.container_registry_password)}@evil.example.com/x.git',
    'https://a:${use(web0.container.container_env_vars.WORD)}@git.example.com/x.git',
  ])('cannot be named or put together from other members: %s', async (url) => {
    const json = template({
      container_image: 'x',
      container_registry_username: 'shop',
      container_registry_password: `registry-${marker}`,
      container_env_vars: { WORD: 'plain' },
      container_git_repo: url,
    });
    const answer = await almanac.call('POST', '/v3/alm/template', { token, json });
    expect(answer.body).toMatchObject({
      code: '1006',
      problems: [{ path: 'configurations/0/container/container_git_repo' }],
    });
  });

  it.each(['https://shop:123/abc@git.example.com/x.git', 'https://shop:a@b/c@git.example.com/x.git'])(
    'is refused where it is unclear where it ends: %s',
    async (url) => {
      const json = template({ container_image: 'x', container_git_repo: url });
      const answer = await almanac.call('POST', '/v3/alm/template', { token, json });
      expect(answer).toMatchObject({
        status: 400,
        body: { problems: [{ path: 'configurations/0/container/container_git_repo' }] },
      });
      expect(answer.text).toContain('%40');
      expect(answer.text).not.toContain(url);
    },
  );

  it('is sealed in place of the user too, and kept by the placeholders', async () => {
    const url = `https://ghp_${marker}:x@git.example.com/x.git`;
    const id = await applied(template({ container_image: 'x', container_git_repo: url }));
    const shown = (await containerOf(id)) ?? {};
    expect(shown['container_git_repo']).toBe('https://${sealed}:${sealed}@git.example.com/x.git');
    expect(await update(id, template(shown))).toMatchObject({ status: 202 });
    expect(await agentConfig(id)).toMatchObject({ gitRepo: url });
  });

  it('makes the agents deploy again when it changes', async () => {
    const id = await applied(withUrls);
    const { updated } = await agentConfig(id);
    const other = repository.replace('pass-', 'new-');
    await update(id, template({ container_image: shownImage, container_git_repo: other }));
    const after = await agentConfig(id);
    expect(after.gitRepo).toBe(other);
    expect(Number(after.updated)).toBeGreaterThan(Number(updated));
  });

  it('can be shared with another layer, which has its own URL or the same', async () => {
    const [layer] = withUrls.configurations;
    const shared = { container_image: 'x', container_git_repo: '${use(web0.container.container_git_repo)}' };
    const id = await applied({
      ...withUrls,
      configurations: [layer, { ...layer, flag: 'web1', container: shared }],
    });
    expect(await agentConfig(id, 'web1')).toMatchObject({ gitRepo: repository });
  });

  it('does not appear in a preview or a comparison', async () => {
    const id = await applied(withUrls);
    const json = template({ container_image: 'x', container_git_repo: repository.replace('shop.git', 'y') });
    const preview = await almanac.call('POST', `/v3/alm/template/preview?stack_id=${id}`, { token, json });
    const body = [JSON.stringify(json)];
    const compare = { id: [{ [id]: { version: 'latest' } }], body };
    const compared = await almanac.call('POST', '/v3/alm/template/compare', { token, json: compare });
    expect([preview.status, compared.status]).toEqual([200, 202]);
    expect(preview.text + compared.text).toContain('https://shop:${sealed}@git.example.com/y');
    expect(preview.text + compared.text).not.toContain(marker);
  });
});

describe('a secret in a URL of a v2 configuration', () => {
  const change = (stack_id: string, json: object) =>
    almanac.call('PUT', '/v2/alm/serverconfig', { token: clientToken, json: { stack_id, ...json } });
  const created = async () => {
    const configurations = { architecture: 'art_single', type: 't2.micro', image, code: repository };
    const json = { cred: 'SANDBOX', region: 'ap-northeast-1', configurations };
    const answer = await almanac.call('POST', '/v2/alm/stack', { token: clientToken, json });
    return String(answer.body.stack_id);
  };

  it('is shown as ${sealed}, kept by placeholders and by other changes, and given to agents', async () => {
    const id = await created();
    const shown = await almanac.call('GET', `/v2/alm/serverconfig?stack_id=${id}`, { token: clientToken });
    expect(shown.body).toMatchObject({ code: shownRepository, image: shownImage });
    expect(await agentConfig(id)).toMatchObject({ gitRepo: repository });
    expect(await change(id, { codeDir: '/srv' })).toMatchObject({ status: 200 });
    expect(await change(id, { filepath: shownRepository })).toMatchObject({ status: 200 });
    expect(await agentConfig(id)).toMatchObject({ gitRepo: repository, codeDir: '/srv' });
    const evil = await change(id, {
      filepath: shownRepository.replace('git.example.com', 'evil.example.com'),
    });
    expect(evil.status).toBe(400);
  });

  it('is sealed in a deployment', async () => {
    const id = await created();
    const filepath = `https://bucket.example.com/x.zip?X-Amz-Signature=signature-${marker}`;
    const json = { method: 's3', filepath };
    const answer = await almanac.call('POST', `/v2/alm/stack/${id}/code`, { token: clientToken, json });
    expect(answer.status).toBeLessThan(300);
    expect(await agentConfig(id)).toMatchObject({ gitRepo: filepath });
  });
});

describe('after all this', () => {
  it('no secret of a URL is in any answer, event, file, backup or log line', async () => {
    const id = await applied(withUrls);
    expect(await readAll(id)).not.toContain(marker);
    const files = await readFiles();
    if (!onPostgres) expect(files).toContain('git.example.com');
    expect(files).not.toContain(marker);
    expect(logged.length).toBeGreaterThan(5);
    expect(logged.join('')).not.toContain(marker);
  });
});
