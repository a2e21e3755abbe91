/**
 * Waits, then prints, however the wait ended. If both fail, prints what is known otherwise, and the error of the wait is the one
 * that counts.
 */
export async function thenPrint(
  wait: () => Promise<number | void>,
  print: () => Promise<void>,
  otherwise: () => Promise<void> = async () => {},
): Promise<number | void> {
  let code: number | void;
  try {
    code = await wait();
  } catch (error) {
    await print().catch(otherwise);
    throw error;
  }
  await print();
  return code;
}
