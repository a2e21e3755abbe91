import type { StackModel } from '../../src/model/stack-model.ts';
import type { Service } from '../../src/operations/service.ts';
import type { Vendor } from '../../src/vendors/vendor.ts';

/** Images of the stand-in. Tests set the newest one. */
export interface StandInImages {
  newest: string;
}

interface StandInDocument {
  choices: { image: string };
}

const flagsIn = ({ layers }: StackModel): string[] =>
  layers.filter(({ machineImage }) => machineImage === null).map(({ flag }) => flag);

/**
 * Lets the sandbox choose machine images, as AWS does: once for a stack, unless the choice is forgotten. The images are a
 * stand-in; everything else is the sandbox.
 */
export function chooseImages(service: Service, images: StandInImages): void {
  const sandbox = service.vendors.get('sandbox');
  if (!sandbox) throw new Error('There is always a sandbox.');
  const vendor: Vendor = {
    ...sandbox,
    choose: async (_access, _model, before) => {
      const kept = (before as StandInDocument | null)?.choices.image;
      return { ok: true, value: { image: kept || images.newest } };
    },
    compile: (model, stackId, choices) => {
      const { image } = choices as StandInDocument['choices'];
      const layers = model.layers.map((layer) => ({ ...layer, machineImage: layer.machineImage ?? image }));
      const outcome = sandbox.compile({ ...model, layers }, stackId);
      const more = { choices: { image }, flags: flagsIn(model) };
      return outcome.ok ? { ok: true, value: { ...outcome.value, ...more } } : outcome;
    },
    images: {
      read: (document) => {
        const { choices, flags } = document as StandInDocument & { flags: string[] };
        return Object.fromEntries(flags.map((flag) => [flag, choices.image]));
      },
      forget: (document) => ({ ...document, choices: { image: '' } }),
    },
  };
  (service.vendors as Map<string, Vendor>).set('sandbox', vendor);
}
