import type { Run } from '../../command.ts';
import type { Profile } from '../../settings/settings.ts';
import { findStore } from '../../stores/find-store.ts';
import type { CredentialStore } from '../../stores/store.ts';

interface ListedProfile {
  profile: string;
  current: boolean;
  api_url: string;
  api_version: string;
  /** Location of the token; null without a token. */
  kept_in: string | null;
  /** Null when unknown, or when tokens are renewed automatically. */
  token_expires: string | null;
  signed_in: boolean;
}

type LoginState = Pick<ListedProfile, 'kept_in' | 'token_expires' | 'signed_in'>;

async function stateInStore(store: CredentialStore | null, name: string): Promise<LoginState> {
  const kept = await store?.read(name);
  return { kept_in: kept && store ? store.name : null, token_expires: null, signed_in: Boolean(kept) };
}

function stateInFile({ token_expires: expires }: Profile, path: string, now: number): LoginState {
  const isExpired = expires !== '' && Date.parse(expires) <= now;
  return { kept_in: path, token_expires: expires || null, signed_in: !isExpired };
}

const signedInCell = (profile: ListedProfile): string => {
  const { signed_in: isSignedIn, kept_in: location, token_expires: expires } = profile;
  if (location === null) return 'no';
  if (!isSignedIn) return `expired at ${expires}`;
  return expires === null ? `yes, in ${location}` : `until ${expires}`;
};

export const listProfiles: Run = async ({ config: { path, content }, system, out }) => {
  const needsStore = [...content.profiles.values()].some(({ access_token: token }) => token === '');
  const store = needsStore ? await findStore(system) : null;
  const listed: ListedProfile[] = [];
  // Sequential: a store may prompt for a passphrase, and once is enough.
  for (const [name, profile] of content.profiles) {
    const { api_url, api_version, access_token } = profile;
    const state =
      access_token === '' ? await stateInStore(store, name) : stateInFile(profile, path, system.clock.now());
    listed.push({ profile: name, current: name === content.current, api_url, api_version, ...state });
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
