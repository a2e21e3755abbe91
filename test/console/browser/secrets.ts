import type { Page } from 'playwright-core';
import type { Watch } from './watch.ts';

/** The document with the values of its fields and its shadow roots. */
const wholeDocument = `(() => {
  const parts = [];
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) parts.push(name + '=' + value);
      if ('value' in element) parts.push(String(element.value));
      for (const child of element.childNodes) if (child.nodeType !== 1) parts.push(child.nodeValue ?? '');
      if (element.shadowRoot) visit(element.shadowRoot);
    }
  };
  visit(document);
  return parts.join('\\n');
})()`;

const storage = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href])`;

async function placesIn(page: Page, watch: Watch): Promise<[place: string, text: string][]> {
  const { origins } = await page.context().storageState({ indexedDB: true });
  return [
    ['the document', await page.evaluate<string>(wholeDocument)],
    ['the storage of the page', await page.evaluate<string>(storage)],
    ['the storage of the browser', JSON.stringify(origins)],
    ['an address', watch.addresses.join('\n')],
    ...(await watch.received()).map(({ from, text }): [string, string] => [from, text]),
  ];
}

/**
 * Where the page, its storage or anything it received contains one of the secrets (by name), or the value of a cookie that
 * scripts must not read. What people type is sent, so the bodies of requests are not searched.
 */
export async function leaksOf(
  page: Page,
  watch: Watch,
  secrets: Readonly<Record<string, string>>,
): Promise<string[]> {
  const cookies = (await page.context().cookies()).map(
    ({ name, value }) => [`cookie ${name}`, value] as const,
  );
  const places = await placesIn(page, watch);
  return [...Object.entries(secrets), ...cookies].flatMap(([name, secret]) =>
    places.filter(([, text]) => text.includes(secret)).map(([place]) => `${name} is in ${place}`),
  );
}
