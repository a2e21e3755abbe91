import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Every program records its arguments, which are visible to every user. */
const preamble = '#!/bin/sh\necho "$0 $*" >> "$HOME/called"\n';

/** Same arguments and exit codes as the real programs, but secrets are stored in plain files in the home directory. */
const programs: Readonly<Record<string, string>> = {
  gpg: 'exit 0',
  pass: `
file="$HOME/.password-store/$(eval echo "\\\${$#}").gpg"
case "$1" in
  show) cat "$file" ;;
  insert) mkdir -p "$HOME/.password-store/alm" && cat > "$file" ;;
  rm) rm -f "$file" ;;
esac`,
  'secret-tool': `
file="$HOME/secret-service-$(eval echo "\\\${$#}")"
case "$1" in
  store) cat > "$file" ;;
  lookup) [ -f "$file" ] && cat "$file" ;;
  clear) [ -f "$file" ] && rm "$file" ;;
  search) if [ -f "$file" ]; then echo "secret = $(cat "$file")"; fi ;;
esac`,
  security: `
case "$1" in
  default-keychain) exit 0 ;;
  -i) read -r _ _ _ service _ account _ label _ secret && echo "$secret" > "$HOME/keychain-$account" ;;
  find-generic-password) [ -f "$HOME/keychain-$5" ] || exit 44; cat "$HOME/keychain-$5" ;;
  delete-generic-password) [ -f "$HOME/keychain-$5" ] || exit 44; rm "$HOME/keychain-$5" ;;
esac`,
  'powershell.exe': `
read -r verb entry secret || true
case "$verb" in
  put) printf %s "$secret" > "$HOME/vault-$entry" ;;
  get) [ -f "$HOME/vault-$entry" ] || exit 44; cat "$HOME/vault-$entry" ;;
  remove) rm -f "$HOME/vault-$entry" ;;
esac`,
};

/** A directory of fake programs with the names of the platform's programs. */
export class FakePrograms {
  readonly folder = mkdtempSync(join(tmpdir(), 'alm-fake-programs-'));

  constructor(names: readonly string[] = Object.keys(programs)) {
    for (const name of names) this.replace(name, programs[name] ?? '');
  }

  replace(name: string, script: string): void {
    writeFileSync(join(this.folder, name), `${preamble}${script}\n`);
    chmodSync(join(this.folder, name), 0o755);
  }

  get path(): string {
    return [this.folder, process.env.PATH].join(delimiter);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Creates the store that `pass` requires. */
export function initPass(home: string, key = 'user@example.com'): void {
  mkdirSync(join(home, '.password-store'), { recursive: true });
  writeFileSync(join(home, '.password-store', '.gpg-id'), `${key}\n`);
}

/** All command lines the fake programs were called with. */
export const calledWith = (home: string): string => {
  const file = join(home, 'called');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
