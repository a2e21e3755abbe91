import { type StackModel, serversWanted } from '../../model/stack-model.ts';

/** What the summary of a stack shows of its version. */
interface VersionFacts {
  label: string;
  /** Servers that the version asks for. */
  wanted: number;
}

const labelOf = ({ label }: { label?: unknown }): string =>
  typeof label === 'string' || typeof label === 'number' ? String(label) : '';

export const versionFacts = (version: { document: object; model: StackModel }): VersionFacts => ({
  label: labelOf(version.document),
  wanted: serversWanted(version.model),
});
