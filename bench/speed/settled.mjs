// Settled stacks of ten credentials, inserted with SQL into the database of a stopped server.
import { copyRows, openRows } from './seed.mjs';
import { template } from './stacks.mjs';

/** The stacks of one are looked at together. Their looks are spread over `sweepSeconds`. */
export const credentials = 10;
const sweepSeconds = 300;

/** All settled, and seen by a sweep before. */
export async function addSettled(data, count) {
  const rows = await openRows(data);
  const [{ id, account_id: account }] = await rows.all(
    `select id, account_id from stacks where credential_id = 'IDLE0'`,
  );
  const credential = `'IDLE' || (i % ${credentials})`;
  const now = Date.now();
  const atRest = {
    next_at: `${now + 7 * 86_400_000} + i`,
    swept: `'0'`,
    lease_until: '0',
    credential_id: credential,
  };
  await copyRows(rows, {
    table: 'stacks',
    where: `id = '${id}'`,
    count,
    change: { id: `'idle-' || i`, ...atRest },
  });
  const cloud = `'${account}/' || ${credential}`;
  await copyRows(rows, {
    table: 'sandbox_stacks',
    where: `stack_id = '${id}'`,
    count,
    change: { stack_id: `'idle-' || i`, cloud_account: cloud, revision: '0' },
  });
  await rows.run('delete from sweeps');
  for (let each = 0; each < credentials; each += 1) {
    const place = [account, 'sandbox', `IDLE${each}`, 'ap-northeast-1'];
    const due = now + 1000 + (each * sweepSeconds * 1000) / credentials;
    await rows.run(
      `insert into sweeps (id, account_id, vendor, credential_id, region, next_at, lease_until, lease_owner, epoch, troubles)
       values ('${JSON.stringify(place)}', ${place.map((text) => `'${text}'`).join(', ')}, ${due}, 0, '', 0, 0)`,
    );
  }
  await rows.finish();
  await rows.close();
}

/** Stacks that were described are looked at soon: here nobody has read any. */
export async function forgetReaders(data) {
  const rows = await openRows(data);
  await rows.run(`update stacks set next_at = ${Date.now() + 7 * 86_400_000}`);
  await rows.close();
}

export const ofCredential = (number) => {
  const made = template(number);
  return { ...made, vendor: { sandbox: { ...made.vendor.sandbox, cred: `IDLE${number}` } } };
};
