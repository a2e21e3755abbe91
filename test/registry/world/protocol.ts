import { protocolSteps } from './protocol-steps.ts';
import type { RegistryCaller } from './registry-caller.ts';

interface StepResult {
  title: string;
  status: number;
  /** Error codes, or what the headers say about the content. */
  answer: string;
  isAllowed: boolean;
}

const compared = [
  'docker-content-digest',
  'content-type',
  'content-range',
  'content-length',
  'range',
  'link',
];

async function answerOf(reply: Response): Promise<string> {
  const codes = [...(await reply.text()).matchAll(/"code":"(\w+)"/g)].map(([, code]) => code);
  if (codes.length > 0) return codes.join(' ');
  return compared.map((name) => `${name}: ${reply.headers.get(name) ?? ''}`).join('\n');
}

/** Sends requests of the specification in their order, like a client, and records the answers. */
export async function exerciseProtocol(
  caller: RegistryCaller,
  name: string,
  other: string,
): Promise<StepResult[]> {
  let upload = new URL(caller.url);
  const results: StepResult[] = [];
  for (const { title, method, path, request, allowed } of protocolSteps(name, other)) {
    const reply = await caller.call(method, path(upload), request);
    const location = reply.headers.get('location');
    if (location?.includes('/uploads/')) upload = new URL(location, caller.url);
    const { status } = reply;
    results.push({ title, status, answer: await answerOf(reply), isAllowed: allowed.includes(status) });
  }
  return results;
}
