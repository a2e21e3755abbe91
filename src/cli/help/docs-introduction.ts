/** The part of docs/cli.md that no table says. */
export const introduction = `# Command line

\`alm\` does from a terminal or a script what the [interface](api.md) offers. Written by \`npm run docs\` from the table of commands
in \`src/cli/groups\`; do not edit this page. The same is in the program: \`alm help\`, \`alm stack create --help\`.

## Install

\`alm\` is one file that needs Node 20.16 or newer and nothing beside it. A running server has it; the build makes it too.

\`\`\`sh
curl -fsSL -o alm https://almanac.example.com/cli/alm && chmod +x alm   # put it somewhere in your PATH
npm ci && npm run build && npm link                                     # or from the sources; it is dist/cli/alm.cjs
\`\`\`

## Sign in

\`\`\`sh
alm login --url http://127.0.0.1:8080    # asks for the API client, the user and the password
\`\`\`

The first start of a server prints all of them. They are kept in the native store of your system where there is one: the macOS
keychain, the Windows credential manager, the Secret Service of Linux desktops, or \`pass\`. Tokens are then renewed by
themselves. Otherwise only the token is kept, in the configuration file, which nobody else may read; sign in again when it has
expired. \`ALM_CREDENTIAL_STORE\` chooses: \`auto\` (the default), \`none\`, \`keychain\`, \`wincred\`, \`secret-service\` or \`pass\`.
\`alm reset\` forgets it all.

## Your first stack

\`\`\`sh
alm stack create --alm-template examples/first-stack.json --wait
alm stack list
alm stack describe <stack id>
alm template preview examples/first-stack.json --id <stack id>     # what an update would do
alm stack delete <stack id> --wait
\`\`\`

A template that has mistakes is refused with all of them, each with its place in your file. Whatever names a thing may be
args without its flag: \`alm stack describe <stack id>\` is \`alm stack describe --id <stack id>\`.

## What takes its time

Creating, updating and deleting begin at once and go on without you. With \`--wait\` the command stays, shows what happens and
how far it is, and ends when the stack has come to rest; its exit code says how. Ctrl-C leaves the stack to itself:
\`alm stack wait <stack id>\` comes back to it, \`alm stack events <stack id>\` tells what was. When the line is lost, \`alm\` tries
again by itself.

## Reaching instances

\`\`\`sh
alm stack ssh <stack id> --flag Web01
alm stack exec --target '<stack id>|ec2-user@10.0.0.4:Web01' --script uptime.sh
alm stack pem <stack id> --flag Web01 --out Web01.pem
\`\`\`

\`stack ssh\` is a terminal through the service, with the exit code of the shell you were in; \`--browser\` opens it there. \`stack exec\`
runs a script on all targets at once and shows what each printed, numbered from 0. The key stays with the service. More in
[ssh.md](ssh.md).

## Scripts

- Data goes to standard output, or to the file \`--out\` names (a new one is for you alone); everything else goes to standard error, each message after
  \`[alm]: info:\`, \`warning:\` or \`error:\`. So \`alm … | program\` gets data alone.
- \`--fmt json\` shows what the service answered, with members and numbers as they came; \`raw\` is the answer as it is, \`min\` is JSON
  on one line, \`yaml\` says itself, \`table\` is for people. Each command below says what it has; the first is the default.
- Any answer that is no success has an [exit code](#exit-codes) other than 0.
- Where standard input is no terminal, its lines answer what is asked, one each; when it ends before, that is an error.
- Credentials come from the environment: \`ALM_TOKEN\`, or \`ALM_CLIENT_ID\`, \`ALM_CLIENT_SECRET\`, \`ALM_USERNAME\` and \`ALM_PASSWORD\`
  (without the last two the API client acts for itself). What is on the command line can be seen by others on the machine.
- Colours are for terminals alone, and \`NO_COLOR\` turns them off there too.

\`\`\`sh
answer=$(alm template apply stack.yaml --wait --fmt json) || exit
id=$(echo "$answer" | jq -r .stack_id)
\`\`\`

## Completion

\`\`\`sh
eval "$(alm completion bash)"                                   # in ~/.bashrc
eval "$(alm completion zsh)"                                    # in ~/.zshrc, after compinit
alm completion fish > ~/.config/fish/completions/alm.fish
\`\`\`

Completes commands, flags and their values: files, profiles, and what the service has: stacks with their names, versions, layers and
instances, credentials, users, roles, API clients. What the service does not say within two seconds is left out.
`;
