import { text } from '../args/flag.ts';
import type { Group } from '../command.ts';
import { version } from '../version.ts';

export const helpGroup: Group = {
  name: 'help',
  about: 'Show the help of a command',
  commands: [
    {
      path: 'help',
      about: 'Show the help of a command',
      flags: [],
      formats: [],
      examples: ['alm help', 'alm help stack create'],
      // The parser answers it before anything is loaded.
      load: async () => async () => {},
    },
  ],
};

export const versionGroup: Group = {
  name: 'version',
  about: 'Print the version of alm',
  commands: [
    {
      path: 'version',
      about: 'Print the version of alm',
      flags: [],
      standalone: true,
      formats: [],
      examples: ['alm version'],
      // Not worth a piece of its own.
      load:
        async () =>
        async ({ out }) =>
          out.data(`${version}\n`),
    },
  ],
};

export const completionGroup: Group = {
  name: 'completion',
  about: 'Print what makes your shell complete the words of alm',
  commands: [
    {
      path: 'completion',
      about: 'Print what makes your shell complete the words of alm',
      more: [
        'bash: put `eval "$(alm completion bash)"` into ~/.bashrc',
        'zsh: put `eval "$(alm completion zsh)"` into ~/.zshrc, after compinit',
        'fish: `alm completion fish > ~/.config/fish/completions/alm.fish`',
      ].join('\n\n'),
      flags: [
        text('shell', 'which shell', { value: 'shell', required: true, choices: ['bash', 'zsh', 'fish'] }),
      ],
      positionals: ['shell'],
      standalone: true,
      formats: [],
      examples: ['alm completion bash', 'alm completion fish'],
      load: async () => (await import('../commands/completion.ts')).printCompletion,
    },
  ],
};
