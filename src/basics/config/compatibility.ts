/** What existing clients need. */
export interface CompatibilityConfig {
  passwordGrantOnV2: boolean;
  instancesByFlag: boolean;
  asksAboutDisks: boolean;
}

export const compatibilitySettings = {
  ALM_COMPAT_V2_PASSWORD: ['0', '1: accept grant_type password on /v2/access_token, for existing clients'],
  ALM_COMPAT_INSTANCES_BY_FLAG: [
    '0',
    '1: v3 describe returns instances as an object from layer to list, for existing clients',
  ],
  ALM_COMPAT_REPLACE_SERVERS: [
    '0',
    '1: requests that replace or remove servers outside groups, with their disks, need no servers=replace, for existing clients',
  ],
} as const;

export const readCompatibility = (
  read: (name: keyof typeof compatibilitySettings) => string,
): CompatibilityConfig => ({
  passwordGrantOnV2: read('ALM_COMPAT_V2_PASSWORD') === '1',
  instancesByFlag: read('ALM_COMPAT_INSTANCES_BY_FLAG') === '1',
  asksAboutDisks: read('ALM_COMPAT_REPLACE_SERVERS') !== '1',
});
