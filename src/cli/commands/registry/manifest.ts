import type { Run } from '../../command.ts';
import { openImage, registryOfImage } from './open-registry.ts';

/** Prints the manifest byte for byte, so that its digest can be computed. A terminal also gets a final line break. */
export const showManifest: Run = async (context) => {
  const { out, system, args } = context;
  const { image, name, opened } = await openImage(context);
  const registry = registryOfImage(opened, name, 'pull');
  const reference = image.reference ?? 'latest';
  const { text, headers } = await registry.manifest(name, reference);
  const digest = headers['docker-content-digest'];
  if (typeof digest === 'string') out.info(`digest: ${digest}`);
  const isOnTerminal = system.stdoutIsTty && !args.has('out');
  if (out.format === 'raw' && !isOnTerminal) out.data(text);
  else await out.document(text);
};
