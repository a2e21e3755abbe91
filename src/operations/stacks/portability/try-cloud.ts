import { type Outcome, type Problem, reject, succeed } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { Remark } from '../../../vendors/portability.ts';
import type { Vendor, VendorChoices, VendorDocument } from '../../../vendors/vendor.ts';
import { type Becomes, becomesOf, type TakeTurn } from './becomes.ts';
import { leaveOut, pathBefore } from './leave-out.ts';

/** Never the id of a stack: nothing is made. */
const stackId = 'mo-0000000000000-portable0-tk';

/** Makes the choices for a model: asks the cloud, or assumes. */
export type Choose = (model: StackModel) => Promise<Outcome<VendorChoices | undefined>>;

interface Trying {
  choose: Choose;
  takeTurn: TakeTurn;
}

export interface Trial {
  /** Everything the vendor does not accept; paths of the model. */
  problems: readonly Problem[];
  /** Whether the vendor accepted the rest. If not, it said nothing about members without a problem. */
  isComplete: boolean;
  /** What the vendor takes in another way than the model says. */
  changes: readonly Remark[];
  /** By the path of a member. Empty if the vendor cannot say what becomes of the members that it accepts. */
  becomes: Becomes;
  /** The model without what is refused. */
  accepted: StackModel;
}

/** A vendor reports its problems in up to three steps: choices, checks, and checks of the result. */
const maxRounds = 4;

/** Compiles a model for a vendor, again and again without what is refused, until the rest is accepted. */
export async function tryCloud(
  vendor: Vendor,
  model: StackModel,
  { choose, takeTurn }: Trying,
): Promise<Trial> {
  const problems: Problem[] = [];
  let accepted = model;
  for (let round = 0; round < maxRounds; round += 1) {
    // All rounds together would delay other requests.
    await takeTurn();
    const before = pathBefore(model, accepted);
    const built = await build(vendor, accepted, choose);
    if (built.ok) {
      const { document, choices } = built.value;
      const changes = vendor.changes?.(accepted, document) ?? [];
      return {
        problems,
        isComplete: true,
        changes: changes.map(({ path, message }) => ({ path: before(path), message })),
        becomes: await becomesOf(accepted, { list: listWith(vendor, choices), takeTurn }),
        accepted,
      };
    }
    const found = built.problems.map((problem) => ({ ...problem, path: before(problem.path) }));
    const added = addedTo(problems, found);
    if (added.length === 0) break;
    problems.push(...added);
    accepted = leaveOut(accepted, built.problems);
  }
  return { problems, isComplete: false, changes: [], becomes: new Map(), accepted };
}

/** A path that had a problem before has nothing new to say: its member was left out, or cannot be. */
const addedTo = (problems: readonly Problem[], found: readonly Problem[]): Problem[] =>
  found.filter(
    ({ path, message }, index) =>
      !problems.some((before) => before.path === path) &&
      found.findIndex((other) => other.path === path && other.message === message) === index,
  );

interface Built {
  document: VendorDocument;
  choices: VendorChoices | undefined;
}

async function build(vendor: Vendor, model: StackModel, choose: Choose): Promise<Outcome<Built>> {
  const choices = await choose(model);
  if (!choices.ok) return reject(choices.problems);
  const document = vendor.compile(model, stackId, choices.value);
  return document.ok ? succeed({ document: document.value, choices: choices.value }) : document;
}

const listWith = (vendor: Vendor, choices: VendorChoices | undefined) => (model: StackModel) => {
  const flags = model.layers.map(({ flag }) => flag);
  const document = vendor.compile(model, stackId, choices);
  return document.ok ? vendor.resources(document.value, flags) : [];
};
