/** Words and numbers that YAML would not read as text. */
const otherKinds =
  /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?[\d.][\d_.,:]*(?:e[-+]?\d+)?|0x[\da-f]+|0o[0-7]+|[-+]?\.(?:inf|nan))$/i;
const plainText = /^[\w$/][\w$/{}().,@+=~ -]*$/;

const isPlain = (text: string): boolean =>
  plainText.test(text) && !otherKinds.test(text) && text.trimEnd() === text;

/** `HTTP:80/` needs no quotes: only a colon before a space is one. */
const withColons = (text: string): boolean => isPlain(text.replaceAll(/(?<=[A-Za-z/]):(?=[\w/])/g, '_'));

const scalar = (value: unknown): string => {
  if (typeof value !== 'string') return JSON.stringify(value);
  return withColons(value) ? value : JSON.stringify(value);
};

const isBlock = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

function linesOf(value: unknown): string[] {
  if (!isBlock(value)) return [scalar(value)];
  if (Array.isArray(value))
    return value.flatMap((entry) => {
      const [first = '', ...rest] = linesOf(entry);
      return [`- ${first}`, ...indented(rest)];
    });
  return Object.entries(value).flatMap(([name, member]) =>
    isBlock(member)
      ? [`${scalar(name)}:`].concat(indented(linesOf(member)))
      : [`${scalar(name)}: ${scalar(member)}`],
  );
}

/** A document as YAML, one member on each line. */
export const writeYaml = (value: unknown): string => `${linesOf(value).join('\n')}\n`;

export const writeJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
