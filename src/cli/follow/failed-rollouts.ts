import type { Rollout } from './stack-calls.ts';

/** The rollouts of a version that did not get to all instances. */
export const failedRollouts = (rollouts: readonly Rollout[], version: string | undefined): Rollout[] =>
  rollouts.filter(
    ({ version_id: of, state }) => of === version && (state === 'failing' || state === 'returned'),
  );

/** What serves in place of a revision that failed. Empty: nothing does, or nobody knows. */
function keepsServing({ flag, revision }: Rollout, rollouts: readonly Rollout[]): string[] {
  const ofLayer = rollouts.filter((each) => each.flag === flag);
  const served = ofLayer
    .flatMap(({ instances }) => instances)
    .filter(({ serving_revision: serving }) => serving > 0 && serving !== revision)
    .map(({ image }) => image);
  const current = ofLayer.filter((each) => each.state === 'serving' && each.revision > revision);
  return [...new Set([...served, ...current.map(({ image }) => image)])].filter((image) => image !== '');
}

/** Why rollouts failed, what their containers wrote last, and what keeps serving. `said`: a reason that is printed already. */
export const rolloutLines = (failed: readonly Rollout[], rollouts: readonly Rollout[], said = ''): string[] =>
  failed.flatMap((rollout) => {
    const { flag, image, reason, last_lines: text } = rollout;
    const lines = text.trimEnd() === '' ? [] : text.trimEnd().split('\n');
    const isSaid = reason === '' || said.includes(reason);
    return [
      ...(isSaid && failed.length === 1 ? [] : [`${flag} ${image}: ${reason}`]),
      ...(lines.length > 0 ? ['Last lines of the container:', ...lines.map((line) => `  ${line}`)] : []),
      ...keepsServing(rollout, rollouts).map((serving) => `${serving} keeps serving.`),
    ];
  });
