/**
 * What happens to the data of removed databases. `keep`: it stays outside the stack, as a snapshot or a volume. `delete`:
 * nothing of it stays.
 */
export const dataChoices = ['keep', 'delete'] as const;
export type DataChoice = (typeof dataChoices)[number];
