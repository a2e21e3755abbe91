import { documentFormats, text } from '../args/flag.ts';
import type { Group } from '../command.ts';

const password = text('current-password', 'your password; prompted if omitted', { value: 'password' });

export const otpGroup: Group = {
  name: 'otp',
  about: 'Manage your second factor: one-time codes of an authenticator app',
  commands: [
    {
      path: 'otp enable',
      about: 'Enable one-time codes for your sign-ins and print the recovery codes once',
      flags: [password],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm otp enable'],
      load: async () => (await import('../commands/otp/enable.ts')).enableCodes,
    },
    {
      path: 'otp status',
      about: 'Show whether one-time codes are enabled',
      flags: [],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm otp status'],
      load: async () => (await import('../commands/otp/status.ts')).showStatus,
    },
    {
      path: 'otp disable',
      about: 'Disable one-time codes',
      flags: [
        password,
        text('otp', 'one-time code or recovery code; prompted if omitted', { value: 'code' }),
      ],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm otp disable'],
      load: async () => (await import('../commands/otp/disable.ts')).disableCodes,
    },
    {
      path: 'otp reset',
      about: 'Remove the second factor of a user who lost it (master account only)',
      flags: [text('name', 'user name', { value: 'name', required: true, complete: 'user' })],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm otp reset ann'],
      load: async () => (await import('../commands/otp/reset.ts')).resetCodes,
    },
  ],
};
