/** A stack as commands accept it: its nickname, in quotes if the shell needs them, or its id. */
export function commandName(stackId: string, nickname = ''): string {
  if (nickname === '' || nickname.startsWith('mo-')) return stackId;
  return /^[\w.-]+$/.test(nickname) ? nickname : `'${nickname.replaceAll("'", `'\\''`)}'`;
}
