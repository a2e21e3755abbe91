import { text } from '../args/flag.ts';
import type { Group } from '../command.ts';

const about = 'Print a shell completion script';

export const completionGroup: Group = {
  name: 'completion',
  about,
  commands: [
    {
      path: 'completion',
      about,
      more: [
        'bash: add `eval "$(alm completion bash)"` to ~/.bashrc',
        'zsh: add `eval "$(alm completion zsh)"` to ~/.zshrc, after compinit',
        'fish: run `alm completion fish > ~/.config/fish/completions/alm.fish`',
      ].join('\n\n'),
      flags: [
        text('shell', 'shell type', { value: 'shell', required: true, choices: ['bash', 'zsh', 'fish'] }),
      ],
      positionals: ['shell'],
      standalone: true,
      formats: [],
      examples: ['alm completion bash', 'alm completion fish'],
      load: async () => (await import('../commands/completion.ts')).printCompletion,
    },
  ],
};
