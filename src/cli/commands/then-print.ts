/** Waits, then prints, however the wait ended. If both fail, the error of the wait is the one that counts. */
export async function thenPrint(
  wait: () => Promise<number | void>,
  print: () => Promise<void>,
): Promise<number | void> {
  let code: number | void;
  try {
    code = await wait();
  } catch (error) {
    await print().catch(() => {});
    throw error;
  }
  await print();
  return code;
}
