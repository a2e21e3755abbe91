import { usageError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { changeConfig, defaultProfileName, noSuchProfile } from '../../settings/config-file.ts';
import type { Profile } from '../../settings/settings.ts';
import { findStore } from '../../stores/find-store.ts';
import type { CredentialStore } from '../../stores/store.ts';

interface Listed {
  profile: string;
  current: boolean;
  api_url: string;
  api_version: string;
  /** Where the token is; null when there is none. */
  kept_in: string | null;
  /** Null when it is not known, or when it does not matter because tokens are renewed. */
  token_expires: string | null;
  signed_in: boolean;
}

type SignedIn = Pick<Listed, 'kept_in' | 'token_expires' | 'signed_in'>;

async function signedInFrom(store: CredentialStore | null, name: string): Promise<SignedIn> {
  const kept = await store?.read(name);
  return { kept_in: kept && store ? store.name : null, token_expires: null, signed_in: Boolean(kept) };
}

function signedInBy({ token_expires: expires }: Profile, path: string, now: number): SignedIn {
  const isOver = expires !== '' && Date.parse(expires) <= now;
  return { kept_in: path, token_expires: expires || null, signed_in: !isOver };
}

const signedInCell = ({ signed_in: isSignedIn, kept_in: place, token_expires: expires }: Listed): string => {
  if (place === null) return 'no';
  if (!isSignedIn) return `expired at ${expires}`;
  return expires === null ? `yes, in ${place}` : `until ${expires}`;
};

export const listProfiles: Run = async ({ config: { path, content }, system, out }) => {
  const isAnyWithout = [...content.profiles.values()].some(({ access_token: token }) => token === '');
  const store = isAnyWithout ? await findStore(system) : null;
  const listed: Listed[] = [];
  // One after the other: a store may ask its owner for a passphrase, and once is enough.
  for (const [name, profile] of content.profiles) {
    const { api_url, api_version, access_token } = profile;
    const signedIn =
      access_token === '' ? await signedInFrom(store, name) : signedInBy(profile, path, system.clock.now());
    listed.push({ profile: name, current: name === content.current, api_url, api_version, ...signedIn });
  }
  await out.document(JSON.stringify(listed), () => ({
    header: ['PROFILE', 'CURRENT', 'URL', 'API', 'SIGNED IN'],
    rows: listed.map((each) => [
      each.profile,
      each.current ? '*' : '',
      each.api_url,
      each.api_version,
      signedInCell(each),
    ]),
  }));
};

export const selectProfile: Run = async ({ config: { path, content }, args, system, out }) => {
  const name = args.required('name');
  if (!content.profiles.has(name)) throw noSuchProfile(content, name, path);
  await changeConfig(system, path, (config) => ({ ...config, current: name }));
  out.info(`Profile ${name} is used from now on.`);
  if (system.env.ALM_PROFILE) out.warn(`ALM_PROFILE counts first, and is "${system.env.ALM_PROFILE}".`);
};

export const deleteProfile: Run = async ({ config: { path, content }, args, system, out }) => {
  const name = args.required('name');
  if (name === defaultProfileName)
    throw usageError(
      'The profile default cannot be deleted.',
      'Back to the defaults: alm reset --profile default',
    );
  if (!content.profiles.has(name)) throw noSuchProfile(content, name, path);
  await changeConfig(system, path, (config) => ({
    ...config,
    current: config.current === name ? defaultProfileName : config.current,
    profiles: new Map([...config.profiles].filter(([each]) => each !== name)),
  }));
  // The file first: it is changed even where the store refuses.
  const store = await findStore(system);
  await store?.delete(name);
  out.info(`Profile ${name} is deleted.`);
  if (content.current === name) out.more(`Profile ${defaultProfileName} is used from now on.`);
};
