import { isDocument } from '../../contract/client.ts';

interface SentBody {
  contentType: string;
  text: string;
}

const formOf = (members: object): string =>
  new URLSearchParams(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  ).toString();

/** The body as it is sent: templates unchanged, other members as JSON or as a form. */
export function encodeBody(body: unknown, encoding: 'form' | undefined): SentBody {
  if (isDocument(body))
    return {
      contentType: body.format === 'yaml' ? 'application/x-yaml' : 'application/json',
      text: body.text,
    };
  if (encoding === 'form' && typeof body === 'object' && body !== null)
    return { contentType: 'application/x-www-form-urlencoded', text: formOf(body) };
  return { contentType: 'application/json', text: JSON.stringify(body) };
}
