// A large account, inserted with SQL into the database of a stopped server that has a few stacks.
import { copyRows, openRows, sealTokens } from './seed.mjs';

/** Events of which the last two are the request and its end; the older half has the time `oldAt`. */
async function copyEvents(rows, { id, stacks, perStack, oldAt }) {
  const index = `((i - 1) % ${perStack})`;
  const byEnd = (request, status, other) =>
    `case ${index} when ${perStack - 2} then ${request} when ${perStack - 1} then ${status} else ${other} end`;
  await copyRows(rows, {
    table: 'events',
    where: `stack_id = '${id}' and kind = 'resource'`,
    count: stacks * perStack,
    change: {
      stack_id: `'large-' || (1 + (i - 1) / ${perStack})`,
      number: `1 + ${index}`,
      vendor_event_id: `'e-' || i`,
      kind: byEnd(`'request'`, `'status'`, `'resource'`),
      status: byEnd(`'CREATE_IN_PROGRESS'`, `'CREATE_COMPLETE'`, 'one.status'),
      ...(oldAt ? { at: `case when ${index} * 2 < ${perStack} then ${oldAt} else one.at end` } : {}),
    },
  });
  await rows.run(`update stacks set event_count = ${perStack} where id like 'large-%'`);
}

async function copyAudit(rows, { account, entries, oldAt }) {
  // Entries are deleted up to the first young one.
  if (oldAt) await rows.run(`update audit set at = ${oldAt}`);
  const now = Date.now();
  const [{ last }] = await rows.all(`select max(number) as last from audit where account_id = '${account}'`);
  await copyRows(rows, {
    table: 'audit',
    where: `account_id = '${account}'`,
    count: entries,
    change: {
      number: `${last} + i`,
      request_id: `'large-' || i`,
      ...(oldAt ? { at: `case when i * 2 < ${entries} then ${oldAt} else ${now} end` } : {}),
    },
  });
}

/** Copies of the first stack; each has events and a version, ten of the stacks that were there have many. */
export async function fillAccount({ data, url }, { stacks, events, entries, versions, sample, oldAt }) {
  const rows = await openRows(data, url);
  const [{ id, account_id: account, created_at: created }] = await rows.all(
    'select id, account_id, created_at from stacks order by created_at, id limit 1',
  );
  const others = await rows.all(`select id from stacks order by created_at, id limit 10`);
  const rest = { next_at: `${Date.now() + 7 * 86_400_000} + i`, lease_until: '0', swept: 'null' };
  const copied = {
    id: `'large-' || i`,
    desired_version: `'large-v-' || i`,
    settled_version: `'large-v-' || i`,
  };
  await copyRows(rows, {
    table: 'stacks',
    where: `id = '${id}'`,
    count: stacks,
    change: { ...copied, ...rest, created_at: `${created} - i`, changed_at: `${created} - i` },
  });
  await copyRows(rows, {
    table: 'versions',
    where: `stack_id = '${id}'`,
    count: stacks,
    change: { id: `'large-v-' || i`, stack_id: `'large-' || i` },
  });
  for (const { id: other } of others)
    await copyRows(rows, {
      table: 'versions',
      where: `stack_id = '${other}'`,
      count: versions,
      change: { id: `'${other}-v-' || i`, number: '1 + i' },
    });
  await copyEvents(rows, { id, stacks, perStack: Math.ceil(events / stacks), oldAt });
  await copyAudit(rows, { account, entries, oldAt });
  await sealTokens(rows, data, sample);
  // A stack that is described is looked at soon: it must be in the cloud.
  for (const copy of sample)
    await copyRows(rows, {
      table: 'sandbox_stacks',
      where: `stack_id = '${id}'`,
      count: 1,
      change: { stack_id: `'${copy}'` },
    });
  await rows.finish();
  await rows.close();
}
