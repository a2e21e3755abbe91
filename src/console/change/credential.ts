import { type Format, writtenIn } from '../editor/written.ts';

export interface VendorChoice {
  vendor: string;
  credential: string;
}

const quotedIn: Readonly<Record<Format, (text: string) => string>> = {
  json: (text) => JSON.stringify(text),
  yaml: (text) => (/^\w[\w.-]*$/.test(text) && !/^\d+$/.test(text) ? text : JSON.stringify(text)),
};

/** The vendor and the credential that the text names; null if it names none. */
export function credentialIn(text: string, format: Format): VendorChoice | null {
  for (const { path, value } of writtenIn(text, format)) {
    const [, vendor] = /^vendor\/([^/]+)\/cred$/.exec(path) ?? [];
    const credential = text.slice(value.from, value.to).replaceAll(/^["']|["']$/g, '');
    if (vendor && credential) return { vendor, credential };
  }
  return null;
}

/** The text with another credential: one word changes if the vendor stays, else the whole section. */
export function withCredential(text: string, format: Format, choice: VendorChoice): string {
  const written = new Map(writtenIn(text, format).map((each) => [each.path, each]));
  const quote = quotedIn[format];
  const replace = (path: string, insert: string): string | null => {
    const place = written.get(path)?.value;
    return place ? text.slice(0, place.from) + insert + text.slice(place.to) : null;
  };
  const word = replace(`vendor/${choice.vendor}/cred`, quote(choice.credential));
  if (word !== null) return word;
  const region = [...written.values()].find(({ path }) => /^vendor\/[^/]+\/region$/.test(path))?.value;
  const members = [
    `${quote('cred')}: ${quote(choice.credential)}`,
    ...(region ? [`${quote('region')}: ${text.slice(region.from, region.to)}`] : []),
  ];
  const section = `{ ${quote(choice.vendor)}: { ${members.join(', ')} } }`;
  const whole = replace('vendor', section);
  if (whole !== null) return whole;
  return format === 'yaml'
    ? `vendor: ${section}\n${text}`
    : text.replace(/^\s*\{/, `{\n  "vendor": ${section},`);
}
