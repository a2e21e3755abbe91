/** A fault that the overlay meets: see its header. */
export type OverlayFault =
  | { on: 'resource'; phase: string; logical: string; message: string; times?: number }
  /** Only slow. */
  | { on: 'resource'; phase: string; logical: string; sleep: number; times?: number }
  | { on: 'call'; action: string; answer: string; key?: string; times?: number };

/** Injects faults into the overlay itself, where our proxy cannot: into the work of CloudFormation. */
export const overlayFaults = (url: string) => ({
  inject: async (faults: readonly OverlayFault[]): Promise<void> => {
    const response = await fetch(`${url}/motoplus/faults`, { method: 'POST', body: JSON.stringify(faults) });
    if (!response.ok) throw new Error(await response.text());
  },
  clear: async (): Promise<void> => {
    await fetch(`${url}/motoplus/faults`, { method: 'DELETE' });
  },
});
